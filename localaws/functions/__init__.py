"""Lambda for the sandbox: deployed zips in warm worker processes, asynchronous events, logs.

Differs from AWS: Python only, in the Python and with the boto3 of this environment whatever runtime or architecture was
asked for; memory is not limited; an event is accepted for the latest version only; a function
that is throttled otherwise than by a reserved concurrency of zero does not exist here.
"""
