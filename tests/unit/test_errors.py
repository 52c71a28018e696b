"""What an error says, which a mail or a log quotes."""

from efs_monitor.errors import NotAllTold


def test_what_cloudwatch_did_not_tell_all_of_is_named_with_its_word_for_why() -> None:
    error = NotAllTold("fs-0123456789abcdef0", "BurstCreditBalance", "Minimum", "PartialData")
    assert str(error) == (
        "cloudwatch:GetMetricData on fs-0123456789abcdef0 did not tell all of BurstCreditBalance (PartialData)"
    )
    assert (error.metric, error.statistic, error.status) == ("BurstCreditBalance", "Minimum", "PartialData")
