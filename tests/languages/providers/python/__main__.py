"""One service in each of two projects, with a token for each."""

import pulumi
import pulumi_clouddb as clouddb

config = pulumi.Config()


def provider(name: str) -> clouddb.Provider:
    return clouddb.Provider(
        name,
        base_url=config.require(f"{name}Url"),
        project_id=config.require(f"{name}Project"),
        access_token=config.require_secret(f"{name}Token"),
    )


first = clouddb.Service(
    "first-db", cpu_millis="shared", memory_gbs="shared", opts=pulumi.ResourceOptions(provider=provider("first"))
)
second = clouddb.Service(
    "second-db", cpu_millis=500, memory_gbs=2, opts=pulumi.ResourceOptions(provider=provider("second"))
)

pulumi.export("projects", [first.project_id, second.project_id])
pulumi.export("sizes", [first.cpu_millis, second.cpu_millis])
