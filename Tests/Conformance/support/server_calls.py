"""Every method of Apple's client of the App Store Server API: what it is called with, and what its answer has to be."""

import time
import uuid
from dataclasses import dataclass
from typing import Any, Callable

from appstoreserverlibrary.api_client import GetTransactionHistoryVersion
from appstoreserverlibrary.models.AccountTenure import AccountTenure
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.ConsumptionRequestV1 import ConsumptionRequestV1
from appstoreserverlibrary.models.ConsumptionStatus import ConsumptionStatus
from appstoreserverlibrary.models.DefaultConfigurationRequest import DefaultConfigurationRequest
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.DeliveryStatusV1 import DeliveryStatusV1
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.LifetimeDollarsPurchased import LifetimeDollarsPurchased
from appstoreserverlibrary.models.LifetimeDollarsRefunded import LifetimeDollarsRefunded
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.PerformanceTestRequest import PerformanceTestRequest
from appstoreserverlibrary.models.Platform import Platform
from appstoreserverlibrary.models.PlayTime import PlayTime
from appstoreserverlibrary.models.RealtimeUrlRequest import RealtimeUrlRequest
from appstoreserverlibrary.models.RefundPreference import RefundPreference
from appstoreserverlibrary.models.RefundPreferenceV1 import RefundPreferenceV1
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, ProductType, TransactionHistoryRequest
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest
from appstoreserverlibrary.models.UploadMessageRequestBody import UploadMessageRequestBody
from appstoreserverlibrary.models.UserStatus import UserStatus

from support.device import payload
from support.life import CLUB, CREDITS, JUNGLE, Life, identifier
from support.shop import Shop

TOKEN = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
DAY = 24 * 60 * 60 * 1000


@dataclass(frozen=True)
class Call:
    """The arguments of a method, and the judgement of its answer. One that is refused has the error instead."""

    arguments: Callable[[Life], tuple] = lambda life: ()
    judge: Callable[[Life, Any], None] = lambda life, answer: None
    error: int | None = None


def now() -> int:
    return int(time.time() * 1000)


def judge_transaction(life: Life, answer):
    said = payload(answer.signedTransactionInfo)
    assert (said["transactionId"], said["productId"]) == (life.credits[0], CREDITS)
    assert (said["environment"], said["price"], said["currency"]) == ("Sandbox", 990, "USD")


def judge_history(life: Life, answer):
    assert (answer.environment, answer.bundleId) == (Environment.SANDBOX, Shop.BUNDLE)
    assert answer.hasMore is True and answer.revision and answer.appAppleId is None
    assert len(answer.signedTransactions) == 20
    assert {payload(one)["productId"] for one in answer.signedTransactions} == {CREDITS}


def judge_statuses(life: Life, answer):
    [group] = answer.data
    [item] = group.lastTransactions
    assert (item.status, item.originalTransactionId) == (Status.ACTIVE, life.club)
    assert payload(item.signedTransactionInfo)["productId"] == CLUB
    renewal = payload(item.signedRenewalInfo)
    assert (renewal["autoRenewStatus"], renewal["autoRenewProductId"]) == (1, CLUB)


def judge_app_transaction(life: Life, answer):
    said = payload(answer.signedAppTransactionInfo)
    assert (said["receiptType"], said["bundleId"]) == ("Sandbox", Shop.BUNDLE)
    assert said["appTransactionId"] == life.app_transaction and said["originalApplicationVersion"] == "1.0"


def judge_order(life: Life, answer):
    assert answer.status is OrderLookupStatus.VALID
    assert [payload(one)["transactionId"] for one in answer.signedTransactions] == [life.credits[0]]


def judge_refunds(life: Life, answer):
    assert answer.hasMore is False and answer.revision
    [said] = [payload(one) for one in answer.signedTransactions]
    assert said["transactionId"] == life.refunded and said["revocationDate"] > 0


def judge_extension(life: Life, answer):
    assert answer.success is True and answer.originalTransactionId == life.club
    assert answer.webOrderLineItemId and answer.effectiveDate > now() + 30 * DAY


def judge_mass_extension(life: Life, answer):
    assert uuid.UUID(answer.requestIdentifier)
    life.mass = answer.requestIdentifier


def judge_mass_status(life: Life, answer):
    assert answer.requestIdentifier == life.mass and answer.complete in (True, False)
    if answer.complete:
        assert answer.completeDate and answer.succeededCount + answer.failedCount >= 0


def judge_test_notification(life: Life, answer):
    assert answer.testNotificationToken
    life.test_notification = answer.testNotificationToken
    life.backend.settle()


def judge_test_status(life: Life, answer):
    assert payload(answer.signedPayload)["notificationType"] == "TEST"
    [attempt] = answer.sendAttempts
    assert attempt.sendAttemptResult.value == "SUCCESS"


def judge_notifications(life: Life, answer):
    assert len(answer.notificationHistory) == 20 and answer.hasMore is True and answer.paginationToken
    for one in answer.notificationHistory:
        assert payload(one.signedPayload)["notificationType"] == "ONE_TIME_CHARGE"
        assert one.sendAttempts


def consumption_v1(life: Life) -> tuple:
    return life.asked, ConsumptionRequestV1(
        customerConsented=True, consumptionStatus=ConsumptionStatus.NOT_CONSUMED, platform=Platform.APPLE,
        sampleContentProvided=False, deliveryStatus=DeliveryStatusV1.DELIVERED_AND_WORKING_PROPERLY, appAccountToken="",
        accountTenure=AccountTenure.ZERO_TO_THREE_DAYS, playTime=PlayTime.ZERO_TO_FIVE_MINUTES,
        lifetimeDollarsRefunded=LifetimeDollarsRefunded.ZERO_DOLLARS, userStatus=UserStatus.ACTIVE,
        lifetimeDollarsPurchased=LifetimeDollarsPurchased.ZERO_DOLLARS, refundPreference=RefundPreferenceV1.PREFER_DECLINE)


def consumption(life: Life) -> tuple:
    return life.asked, ConsumptionRequest(
        customerConsented=True, sampleContentProvided=False, deliveryStatus=DeliveryStatus.DELIVERED,
        consumptionPercentage=50_000, refundPreference=RefundPreference.DECLINE)


def mass_extension(life: Life) -> tuple:
    return (MassExtendRenewalDateRequest(
        extendByDays=1, extendReasonCode=ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE, requestIdentifier=identifier(),
        storefrontCountryCodes=["JPN"], productId=CLUB),)


def refused(*arguments) -> Call:
    """What belongs to retention messaging, which apps have to be enabled for."""
    return Call(lambda life: arguments, error=4030000)


IMAGE = uuid.UUID(int=1)
CALLS: dict[str, Call] = {
    "get_transaction_info": Call(lambda life: (life.credits[0],), judge_transaction),
    "get_transaction_history": Call(
        lambda life: (life.jungle, None, TransactionHistoryRequest(
            startDate=now() - DAY, endDate=now() + DAY, productIds=[CREDITS], productTypes=[ProductType.CONSUMABLE],
            sort=Order.DESCENDING, revoked=False), GetTransactionHistoryVersion.V2),
        judge_history),
    "get_all_subscription_statuses": Call(
        lambda life: (life.jungle, [Status.ACTIVE, Status.EXPIRED]), judge_statuses),
    "get_app_transaction_info": Call(lambda life: (life.jungle,), judge_app_transaction),
    "look_up_order_id": Call(lambda life: (life.order,), judge_order),
    "get_refund_history": Call(lambda life: (life.club, None), judge_refunds),
    "extend_subscription_renewal_date": Call(
        lambda life: (life.club, ExtendRenewalDateRequest(
            extendByDays=7, extendReasonCode=ExtendReasonCode.CUSTOMER_SATISFACTION, requestIdentifier=identifier())),
        judge_extension),
    "extend_renewal_date_for_all_active_subscribers": Call(mass_extension, judge_mass_extension),
    "get_status_of_subscription_renewal_date_extensions": Call(lambda life: (life.mass, CLUB), judge_mass_status),
    "send_consumption_information": Call(consumption),
    "send_consumption_data": Call(consumption_v1),
    "set_app_account_token": Call(lambda life: (life.jungle, UpdateAppAccountTokenRequest(TOKEN))),
    "finish_transaction": Call(lambda life: (life.credits[5],)),
    "request_test_notification": Call(judge=judge_test_notification),
    "get_test_notification_status": Call(lambda life: (life.test_notification,), judge_test_status),
    "get_notification_history": Call(
        lambda life: (None, NotificationHistoryRequest(
            startDate=now() - DAY, endDate=now() + DAY, notificationType=NotificationTypeV2.ONE_TIME_CHARGE)),
        judge_notifications),
    "upload_image": refused(IMAGE, b"\x89PNG"),
    "delete_image": refused(IMAGE),
    "get_image_list": refused(),
    "upload_message": refused(IMAGE, UploadMessageRequestBody(header="Stay", body="Please")),
    "delete_message": refused(IMAGE),
    "get_message_list": refused(),
    "configure_default_message": refused(CLUB, "en-US", DefaultConfigurationRequest(messageIdentifier=IMAGE)),
    "delete_default_message": refused(CLUB, "en-US"),
    "get_default_message": refused(CLUB, "en-US"),
    "configure_realtime_url": refused(RealtimeUrlRequest(realtimeURL="https://example.com/realtime")),
    "delete_realtime_url": refused(),
    "get_realtime_url": refused(),
    "initiate_performance_test": refused(PerformanceTestRequest(originalTransactionId="1")),
    "get_performance_test_results": refused("1"),
}
