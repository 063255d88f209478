import pulumi
import pulumi_clouddb as clouddb

protected = pulumi.Config("clouddb").get_bool("deletionProtection", True)

orders = clouddb.Service(
    "orders",
    cpu_millis=1000,
    memory_gbs=4,
    opts=pulumi.ResourceOptions(protect=protected),  # a preview then refuses a deletion, and a rename without an alias
)

pulumi.export("connectionString", orders.connection_string)
