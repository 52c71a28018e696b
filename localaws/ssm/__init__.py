"""Systems Manager's Run Command for the sandbox: managed instances, and agents that really run what is sent to them.

An instance is a folder of this machine; its agent runs the stored document here, as a process of its own. Differs from
AWS: only schema 2.2 documents with one aws:runShellScript step and parameters of type String; an invocation is there as
soon as it was sent; output goes to no bucket and no log group; nobody is notified but EventBridge.
"""
