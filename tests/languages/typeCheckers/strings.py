import pulumi
import pulumi_clouddb as clouddb

orders = clouddb.Service(
    "orders",
    environment="PROD",
    addons=["ai", clouddb.Addon.TIME_SERIES],
    fork={"service_id": "abcdefghij", "strategy": "NOW"},
)
clouddb.Service(
    "copy",
    environment=clouddb.Environment.PROD,
    addons=[clouddb.Addon.AI],
    fork=clouddb.ForkArgs(service_id=orders.service_id, strategy=clouddb.ForkStrategy.NOW),
)
clouddb.Service("args", fork=clouddb.ForkArgs(service_id=orders.service_id, strategy="NOW"))
clouddb.ReadReplicaSet(
    "reports", service_id=orders.service_id, cpu_millis=500, environment="DEV", password=orders.current_password
)
clouddb.Peering(
    "office", vpc_id="1", peer_account_id="1", peer_region_code="us-east-1", peer_vpc_id="vpc-1", wait_for="provisioned"
)
pulumi.export("url", orders.pooler_connection_string)
