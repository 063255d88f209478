import pulumi
import pulumi_clouddb as clouddb

orders = clouddb.Service("orders", cpu_millis=1000, memory_gbs=4)

pulumi.export("connectionString", orders.connection_string)
