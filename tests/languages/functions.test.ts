import { startFastEmulator } from "../support/engine";
import { pathWith, programs, Project, root } from "./language";

// docs/languages.md: how a function waits for a resource in each language, and what a function that returns a list returns.

const python = `
import pulumi
import pulumi_clouddb as clouddb

orders = clouddb.Service("orders", name="orders", cpu_millis=500)
found = clouddb.get_service_output(name=orders.name)
listed = clouddb.get_services_output(opts=pulumi.InvokeOutputOptions(depends_on=[orders]))
pulumi.export("status", found.status)
pulumi.export("ids", listed.services.apply(lambda services: [one.service_id for one in services]))
pulumi.export("id", orders.service_id)
`;

const go = `package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"pulumi-clouddb.invalid/sdk/go/clouddb"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		orders, err := clouddb.NewService(ctx, "orders", &clouddb.ServiceArgs{CpuMillis: pulumi.Int(500)})
		if err != nil {
			return err
		}
		found := clouddb.LookupServiceOutput(ctx, clouddb.LookupServiceOutputArgs{ServiceId: orders.ServiceId})
		listed := clouddb.GetServicesOutput(
			ctx, clouddb.GetServicesOutputArgs{}, pulumi.DependsOn([]pulumi.Resource{orders}),
		)
		ctx.Export("status", found.Status())
		ctx.Export("ids", listed.Services().ApplyT(func(services []clouddb.ServiceInfo) []string {
			ids := []string{}
			for _, one := range services {
				ids = append(ids, one.ServiceId)
			}
			return ids
		}))
		ctx.Export("id", orders.ServiceId)
		return nil
	})
}
`;

const yaml = `name: functions
runtime: yaml
plugins:
  providers:
    - { name: clouddb, path: ${root} }
resources:
  orders:
    type: clouddb:Service
    properties: { cpuMillis: 500 }
variables:
  found:
    fn::invoke:
      function: clouddb:getService
      arguments: { serviceId: "\${orders.serviceId}" }
  listed:
    fn::invoke:
      function: clouddb:getServices
      arguments: {}
      options: { dependsOn: ["\${orders}"] }
outputs:
  status: \${found.status}
  ids: \${listed.services}
  id: \${orders.serviceId}
`;

describe.each([
    { language: "yaml", program: yaml },
    { language: "python", program: python },
    { language: "go", program: go },
] as const)("functions in $language", ({ language, program }) => {
    const { source, file } = programs[language];
    const path = pathWith(language);
    const test = path === undefined ? it.skip : it;

    test(`a function in ${language} waits for a resource of its arguments, and of its options except in YAML, and a list is in an object`, async () => {
        const emulator = await startFastEmulator();
        const edit = (text: string) => text.replace(/^name: .*$/m, "name: functions");
        const project = await Project.create(source, language, path ?? "", emulator, { edit });
        project.write(file, program);
        await project.pulumi("preview");
        await project.up();
        const [service] = emulator.snapshot().services;
        const { ids, ...others } = await project.outputs();
        expect(others).toEqual({ status: "READY", id: service?.service_id });
        if (language === "yaml") {
            expect(ids).not.toContainEqual(expect.objectContaining({ status: "READY" }));
        } else {
            expect(ids).toEqual([others.id]);
        }
        await project.pulumi("preview", "--expect-no-changes");
    });
});
