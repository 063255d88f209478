"""A database with an HA replica and read replicas, in its own network."""

import pulumi
import pulumi_clouddb as clouddb

REGION = "us-east-1"
PROTECTED = pulumi.Config("clouddb").get_bool("deletionProtection", True)

network = clouddb.Vpc("network", cidr="10.0.0.0/20", region_code=REGION)

orders = clouddb.Service(
    "orders",
    region_code=REGION,
    cpu_millis=1000,
    memory_gbs=4,
    replica_count=1,  # an HA replica that takes over when the primary fails
    vpc_id=network.vpc_id,
    environment="PROD",
    opts=pulumi.ResourceOptions(protect=PROTECTED),  # a preview then refuses a deletion, and a rename without an alias
)

reports = clouddb.ReadReplicaSet(
    "reports",
    service_id=orders.service_id,
    nodes=2,
    cpu_millis=500,
    memory_gbs=2,
    password=orders.current_password,
)

pulumi.export("connectionString", orders.connection_string)
pulumi.export("urlInNetwork", orders.vpc_connection_string)
pulumi.export("reportsUrl", reports.connection_string)
