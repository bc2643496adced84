"""What the recipes share: the secret, and the business's own permission check."""

from typing import Any, Dict

SECRET = "bailing-test-secret"  # in earnest: from your configuration, the same as at the hub


def authorize(operator: str, tool: str, params: Dict[str, Any]) -> bool:
    """Ask your own tables here; this one lets one operator refund small amounts and denies everything else."""
    return operator == "t1:u1" and tool == "refund_order" and params.get("amount", 0) <= 100
