"""moto's HTTP server on the loopback interface, and the one place where our services are put into moto's.

Replaced for as long as the server runs: the whole of CloudWatch and of CloudFormation; how functions are invoked; what
publishing to a topic does, and how its subscribers are listed; how a key is named; a file system's size, replication
and UpdateFileSystem; which schedules are accepted; Run Command and the instances it knows; where a rule's events go;
what an unknown call gets, and one in a Region that there is not; which policies are taken, and what a role may do; how
long and how large the values of a request may be.
"""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from random import Random
from typing import Any

import moto.backends
import moto.cloudformation.urls
import moto.cloudwatch.urls
import moto.core.errors
import moto.core.responses
import moto.iam.models
import moto.iam.policy_validation
from moto.awslambda.models import LambdaBackend, LambdaFunction
from moto.core.responses import BaseResponse
from moto.core.serialize import TimestampSerializer
from moto.efs.models import EFSBackend, FileSystem
from moto.efs.responses import EFSResponse
from moto.events.models import EventsBackend, Rule
from moto.iam.models import IAMBackend
from moto.kms.models import KmsBackend
from moto.logs.models import LogsBackend
from moto.moto_api._internal import mock_random
from moto.moto_api._internal.models import moto_api_backend
from moto.moto_server.werkzeug_app import DomainDispatcherApplication
from moto.scheduler.models import EventBridgeSchedulerBackend, Schedule
from moto.sns.models import SNSBackend, Subscription
from moto.sns.responses import SNSResponse
from moto.sqs.models import SQSBackend
from moto.ssm.models import SimpleSystemManagerBackend
from moto.ssm.responses import SimpleSystemManagerResponse

from localaws import (
    cloudformation,
    encryption_keys,
    event_bus,
    file_system_tags,
    file_systems,
    log_groups,
    queue_attributes,
    regions,
    schedules,
)
from localaws.application import app_of
from localaws.cloudformation import CloudFormation
from localaws.cloudwatch import api as cloudwatch_api
from localaws.cloudwatch.metrics import MetricStore
from localaws.cloudwatch.registry import AlarmRegistry
from localaws.connection import Connections
from localaws.event_bus import EventBus
from localaws.functions import settings as function_settings
from localaws.functions.api import deleting_with, invoke_with
from localaws.functions.event_queue import EventQueue
from localaws.functions.executor import Executor
from localaws.functions.service_data import read_once
from localaws.functions.settings import RuntimeVersions
from localaws.iam import guard, policy_documents
from localaws.iam.sessions import Sessions
from localaws.own_calls import OwnCalls
from localaws.quotas import Quotas
from localaws.request_limits import limiting_with
from localaws.schedules import Schedules
from localaws.sns import topic_attributes
from localaws.sns.endpoints import publishing_with
from localaws.sns.mailbox import Mailbox
from localaws.sns.subscribers import Subscribers, listing_with, subscribing_with, subscriptions_of
from localaws.sns.topics import Sending, publish_with
from localaws.ssm import api as run_command
from localaws.ssm import document_refusals, document_versions, parameter_refusals
from localaws.ssm.agents import Agents
from localaws.ssm.document_versions import Documents
from localaws.throttling import throttling_with
from localaws.unknown_calls import refusing_with

read_once()

LOOPBACK = "127.0.0.1"
TIMES_KEPT = 50_000


@dataclass(frozen=True, slots=True)
class Services:
    """What the server answers from."""

    metrics: MetricStore
    alarms: AlarmRegistry
    mailbox: Mailbox
    subscribers: Subscribers
    executor: Executor
    events: EventQueue
    sessions: Sessions
    bus: EventBus
    agents: Agents
    quotas: Quotas
    schedules: Schedules
    is_simulated: bool
    order: Random
    documents: Documents
    runtime_versions: RuntimeVersions


class Server:
    """Listens from its creation on, so its port is known, and answers from `start` on."""

    def __init__(self, port: int) -> None:
        # Apps are made at the first request for a service, when everything is plugged in.
        application = DomainDispatcherApplication(app_of)
        self.own_calls = OwnCalls(application)
        self._server = Connections(LOOPBACK, port, application)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        # By name: S3 clients put the bucket before an address otherwise.
        self.endpoint_url = f"http://localhost:{self._server.server_port}"

    @contextmanager
    def running(self, services: Services) -> Iterator[CloudFormation]:
        """Answer from `services`, with moto empty at the start and itself again at the end."""
        moto_api_backend.reset()
        # The same ids in every run.
        mock_random.seed(0)
        with ExitStack() as undo:
            engine = plug_in(services, self.endpoint_url, self.own_calls, undo)
            self._thread.start()
            self.own_calls.is_open = True
            undo.callback(self._stop)
            yield engine

    def close(self) -> None:
        self._server.server_close()

    def _stop(self) -> None:
        self.own_calls.is_open = False
        # It would look only twice a second whether it has been asked to stop; looking more often takes a processor's
        # time while a sandbox has nothing to do.
        self._server.socket.shutdown(socket.SHUT_RDWR)
        self._server.shutdown()
        self._thread.join()


def plug_in(services: Services, endpoint_url: str, own_calls: OwnCalls, undo: ExitStack) -> CloudFormation:
    """Put our services into moto's classes; `undo` takes them out again."""

    def replace(owner: Any, name: str, ours: Any) -> None:
        missing = object()
        theirs = vars(owner).get(name, missing)
        setattr(owner, name, ours)
        undo.callback(lambda: delattr(owner, name) if theirs is missing else setattr(owner, name, theirs))

    _find_once(replace)
    _check_callers(replace, services)
    _check_policies(replace)
    _run_functions(replace, services)
    _deliver_messages(replace, services)
    _watch_file_systems(replace)
    _find_keys(replace)
    _begin_schedules(replace, services)
    _run_documents(replace, services)
    cloudwatch_urls = cloudwatch_api.url_paths(
        services.metrics, services.alarms, services.quotas, services.sessions, is_simulated=services.is_simulated
    )
    replace(moto.cloudwatch.urls, "url_paths", cloudwatch_urls)
    replace(EventsBackend, "put_rule", event_bus.rule_put_with(EventsBackend.put_rule))
    replace(EventsBackend, "put_targets", event_bus.targets_put_with(EventsBackend.put_targets))
    replace(Rule, "send_to_targets", event_bus.sending_with(services.bus))
    replace(LogsBackend, "create_log_group", log_groups.created_with(LogsBackend.create_log_group))
    replace(SQSBackend, "create_queue", queue_attributes.created_with(SQSBackend.create_queue))
    replace(SQSBackend, "set_queue_attributes", queue_attributes.set_with(SQSBackend.set_queue_attributes))
    # Noted as it is, to be put back: installing replaces it.
    replace(moto.cloudformation.urls, "url_paths", moto.cloudformation.urls.url_paths)
    return cloudformation.install(
        lambda: endpoint_url,
        services.bus.put,
        services.order.choice,
        own_calls.take_over,
        services.events.wait_for_background,
    )


type Replace = Callable[[Any, str, Any], None]
"""Puts something of ours in the place of an attribute of moto's: owner, name, ours."""


def _find_once(replace: Replace) -> None:
    """Keep what moto finds out anew at every request."""
    # moto reads them from a directory,
    modules = tuple(moto.backends.list_of_moto_modules())
    replace(moto.backends, "list_of_moto_modules", lambda: modules)
    # tries the hosts of two hundred services,
    find_service = DomainDispatcherApplication.get_backend_for_host
    replace(DomainDispatcherApplication, "get_backend_for_host", cache(find_service))
    # and looks through all members of the one that it has found.
    replace(moto.core.responses, "method_names_from_class", cache(moto.core.responses.method_names_from_class))
    # It writes each time of each answer anew, and functions ask for the same days every hour.
    written = lru_cache(TIMES_KEPT)(TimestampSerializer("iso8601")._convert_timestamp_to_str)
    replace(TimestampSerializer, "_convert_timestamp_to_str", lambda _, value, form: written(value, form))


def _check_callers(replace: Replace, services: Services) -> None:
    """Refuse what is asked of no Region, too often, or what the caller may not do, what is beyond a limit, and what no
    service of ours knows.
    """
    guarded = guard.guarding_with(services.sessions, limiting_with(BaseResponse.call_action))
    throttled = throttling_with(
        services.quotas, services.sessions, refusing_with(guarded), is_simulated=services.is_simulated
    )
    replace(BaseResponse, "call_action", regions.in_a_region_with(throttled))
    admitting = guard.admitting_with(services.sessions, DomainDispatcherApplication.__call__)
    replace(DomainDispatcherApplication, "__call__", admitting)
    known = [
        *moto.core.errors.COMMON_ERROR_CODES,
        *guard.CODES_MOTO_SHOULD_KNOW,
        regions.QUERY_CODE,
        regions.OTHER_CODE,
    ]
    replace(moto.core.errors, "COMMON_ERROR_CODES", known)


def _check_policies(replace: Replace) -> None:
    """Take the policies that IAM takes."""
    replace(moto.iam.policy_validation, "PARTITION_NAMES", policy_documents.PARTITIONS)
    replace(moto.iam.models, "IAMPolicyDocumentValidator", policy_documents.IdentityPolicy)
    replace(moto.iam.models, "IAMTrustPolicyDocumentValidator", policy_documents.TrustPolicy)
    replace(IAMBackend, "create_role", policy_documents.role_created_with(IAMBackend.create_role))
    trust_updated = policy_documents.trust_updated_with(IAMBackend.update_assume_role_policy)
    replace(IAMBackend, "update_assume_role_policy", trust_updated)
    replace(IAMBackend, "put_role_policy", policy_documents.role_policy_put_with(IAMBackend.put_role_policy))
    for name, place in (("create_policy", 2), ("create_policy_version", 1)):
        made = policy_documents.managed_policy_made_with(getattr(IAMBackend, name), place)
        replace(IAMBackend, name, made)


def _run_functions(replace: Replace, services: Services) -> None:
    """Run functions in processes of their own, with the settings that moto drops."""
    replace(LambdaFunction, "invoke", invoke_with(services.executor, services.events))
    replace(LambdaBackend, "delete_function", deleting_with(services.executor, LambdaBackend.delete_function))
    replace(LambdaFunction, "__init__", function_settings.created_with(LambdaFunction.__init__, services.sessions))
    replace(
        LambdaFunction,
        "update_configuration",
        function_settings.updated_with(LambdaFunction.update_configuration, services.sessions),
    )
    described = function_settings.described_with(LambdaFunction.get_configuration, services.runtime_versions)
    replace(LambdaFunction, "get_configuration", described)
    replace(
        LambdaBackend,
        "put_function_event_invoke_config",
        function_settings.event_settings_with(LambdaBackend.put_function_event_invoke_config, services.sessions),
    )
    replace(LambdaBackend, "add_permission", function_settings.permitted_with(LambdaBackend.add_permission))


def _deliver_messages(replace: Replace, services: Services) -> None:
    """Take the policies of topics that SNS takes, and bring what is published to the subscribers there are."""
    sending = Sending(services.mailbox, services.subscribers, services.metrics)
    replace(SNSBackend, "publish", publish_with(sending, SNSBackend.publish))
    replace(SNSBackend, "set_topic_attribute", topic_attributes.set_with(SNSBackend.set_topic_attribute))
    replace(SNSBackend, "create_topic", topic_attributes.created_with(SNSBackend.create_topic))
    replace(SNSBackend, "subscribe", subscribing_with(SNSBackend.subscribe))
    replace(SNSBackend, "_get_topic_subscriptions", subscriptions_of)
    replace(Subscription, "publish", publishing_with(Subscription.publish))
    for name in ("list_subscriptions", "list_subscriptions_by_topic"):
        replace(SNSResponse, name, listing_with(services.subscribers, getattr(SNSResponse, name)))


def _watch_file_systems(replace: Replace) -> None:
    """Let file systems have the size and replication they are given, changes of mode AWS's lock and limits, and tags
    its limits.
    """
    replace(FileSystem, "size_in_bytes", property(file_systems.size_in_bytes))
    replace(FileSystem, "info_json", file_systems.described_with(FileSystem.info_json))
    replace(EFSResponse, "update_file_system", file_systems.update_file_system)
    replace(EFSBackend, "create_file_system", file_systems.created_with(EFSBackend.create_file_system))
    for name in file_system_tags.TAGGING:
        replace(EFSResponse, name, file_system_tags.refusing_with(getattr(EFSResponse, name)))


def _find_keys(replace: Replace) -> None:
    """Take a key's ARN for the key wherever its ID is taken."""
    for name in encryption_keys.CHANGING:
        replace(KmsBackend, name, encryption_keys.named_either_way_with(getattr(KmsBackend, name)))


def _begin_schedules(replace: Replace, services: Services) -> None:
    """Accept schedules whose role may be assumed, and begin them."""
    for name, begin in (("create_schedule", services.schedules.begin), ("update_schedule", _go_on)):
        theirs: Callable[..., Any] = getattr(EventBridgeSchedulerBackend, name)
        replace(EventBridgeSchedulerBackend, name, schedules.accepting_with(theirs, services.sessions, begin))


def _run_documents(replace: Replace, services: Services) -> None:
    """Version documents and run them on instances; ask them and Parameter Store for sizes."""
    updated = document_versions.updated_with(services.documents, SimpleSystemManagerBackend.update_document)
    created = document_refusals.named_with(SimpleSystemManagerBackend.create_document)
    for name, answer in (("create_document", created), ("update_document", updated)):
        replace(SimpleSystemManagerBackend, name, document_refusals.checked_with(answer))
    put_parameter = parameter_refusals.refusing_with(SimpleSystemManagerResponse.put_parameter)
    replace(SimpleSystemManagerResponse, "put_parameter", put_parameter)
    for action, answer in run_command.actions(services.agents).items():
        replace(SimpleSystemManagerResponse, action, answer)


def _go_on(schedule: Schedule, now: datetime) -> None:
    """A changed rate keeps its rhythm; whether AWS begins it anew is not documented."""
    del schedule, now
