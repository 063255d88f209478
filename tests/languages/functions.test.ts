import { startFastEmulator } from "../support/engine";
import { goProgram, Project, testWith } from "./language";
import { programOf } from "./shop";

// docs/languages.md: how a function waits for a resource in each language, what a function that returns a list returns, and a
// size that is not a number. What only functions return is in each language.

const python = `
import pulumi
import pulumi_clouddb as clouddb

orders = clouddb.Service("orders", name="orders", cpu_millis="shared", memory_gbs="shared")
found = clouddb.get_service_output(name=orders.name)
listed = clouddb.get_services_output(opts=pulumi.InvokeOutputOptions(depends_on=[orders]))
pulumi.export("status", found.status)
pulumi.export("ids", listed.services.apply(lambda services: [one.service_id for one in services]))
pulumi.export("id", orders.service_id)
pulumi.export("size", orders.cpu_millis)
pulumi.export("storageMb", found.usage.apply(lambda usage: usage.storage_mb))
pulumi.export("volumeType", found.volume_type)
logs = clouddb.get_service_logs_output(service_id=orders.service_id, search=["ready to", "accept"])
text = clouddb.get_service_logs_output(service_id=orders.service_id, search="ready to")
pulumi.export("logs", [logs.entries, text.entries])
`;

const go = goProgram(`		shared := pulumi.String("shared")
		orders, err := clouddb.NewService(ctx, "orders", &clouddb.ServiceArgs{CpuMillis: shared, MemoryGbs: shared})
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
		ctx.Export("size", orders.CpuMillis)
		ctx.Export("storageMb", found.Usage().StorageMb())
		ctx.Export("volumeType", found.VolumeType())
		logs := clouddb.GetServiceLogsOutput(ctx, clouddb.GetServiceLogsOutputArgs{
			ServiceId: orders.ServiceId,
			Search:    pulumi.ToStringArray([]string{"ready to", "accept"}),
		})
		text := clouddb.GetServiceLogsOutput(ctx, clouddb.GetServiceLogsOutputArgs{
			ServiceId: orders.ServiceId,
			Search:    pulumi.String("ready to"),
		})
		ctx.Export("logs", pulumi.Array{logs.Entries(), text.Entries()})`);

const yaml = programOf(
    `  orders:
    type: clouddb:Service
    properties: { cpuMillis: shared, memoryGbs: shared }
`,
    `variables:
  found:
    fn::invoke:
      function: clouddb:getService
      arguments: { serviceId: "\${orders.serviceId}" }
  listed:
    fn::invoke:
      function: clouddb:getServices
      arguments: {}
      options: { dependsOn: ["\${orders}"] }
  logs:
    fn::invoke:
      function: clouddb:getServiceLogs
      arguments: { serviceId: "\${orders.serviceId}", search: [ready to, accept] }
  text:
    fn::invoke:
      function: clouddb:getServiceLogs
      arguments: { serviceId: "\${orders.serviceId}", search: ready to }
outputs:
  logs: ["\${logs.entries}", "\${text.entries}"]
  status: \${found.status}
  ids: \${listed.services}
  id: \${orders.serviceId}
  size: \${orders.cpuMillis}
  storageMb: \${found.usage.storageMb}
  volumeType: \${found.volumeType}
`,
);

describe.each([
    { language: "yaml", program: yaml },
    { language: "python", program: python },
    { language: "go", program: go },
] as const)("functions in $language", ({ language, program }) => {
    testWith(language)(
        `a function in ${language} waits for a resource of its arguments, and of its options except in YAML, and a list is in an object`,
        async () => {
            const emulator = await startFastEmulator();
            const project = await Project.create(language, emulator, { program });
            await project.pulumi("preview");
            await project.up();
            const [service] = emulator.snapshot().services;
            const { ids, logs, storageMb, ...others } = await project.outputs();
            const ofService = { id: service?.service_id, size: "shared", status: "READY", volumeType: "gp3" };
            expect(others).toEqual(ofService);
            const message = "database system is ready to accept connections";
            expect(logs).toMatchObject([[{ message }], [{ message }]]);
            expect(storageMb).toBeGreaterThanOrEqual(64);
            if (language === "yaml") {
                expect(ids).not.toContainEqual(expect.objectContaining({ status: "READY" }));
            } else {
                expect(ids).toEqual([others.id]);
            }
            await project.pulumi("preview", "--expect-no-changes");
        },
    );
});
