import { blocksOf, read } from "../support/documents";
import { startFastEmulator } from "../support/engine";
import { Project, testWith } from "./language";
import { goModule } from "./userSdks";

// What the page says about Go happens, and its code compiles.

const page = "examples/go/README.md#what-differs-from-typescript";

const program = `package main

import (
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"pulumi-clouddb.invalid/sdk/go/clouddb"
)

func create(ctx *pulumi.Context) (*clouddb.ProductionDatabase, error) {
	all, err := clouddb.GetServices(ctx, nil)
	if err != nil {
		return nil, err
	}
	exists := false
	for _, one := range all.Services {
		exists = exists || one.Name == "reports"
	}
	ctx.Export("exists", pulumi.Bool(exists))
	reports, err := clouddb.NewService(ctx, "reports", &clouddb.ServiceArgs{
		Name:      pulumi.String("reports"),
		CpuMillis: pulumi.Int(500),
		Addons:    pulumi.StringArray{pulumi.String(clouddb.AddonAi)},
	}, pulumi.Aliases([]pulumi.Alias{{NoParent: pulumi.Bool(true)}}))
	if err != nil {
		return nil, err
	}
	ctx.Export("size", reports.CpuMillis.ApplyT(func(size any) float64 {
		number, isNumber := size.(float64)
		if !isNumber {
			return 0
		}
		return number
	}))
	orders, err := clouddb.NewProductionDatabase(ctx, "orders", &clouddb.ProductionDatabaseArgs{
		CpuMillis:    pulumi.Int(500),
		ReadReplicas: map[string]clouddb.ReadReplicaInput{"copies": clouddb.ReadReplicaArgs{}},
	})
	if err != nil {
		return nil, err
	}
	ctx.Export("url", orders.ConnectionString)
	return orders, nil
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		orders, err := create(ctx)
		if key := os.Getenv("KEY"); err == nil && key != "" {
			ctx.Export("copies", orders.ReadReplicas.MapIndex(pulumi.String(key)).ConnectionString())
		}
		return err
	})
}
`;

const secondModule = `module databases

go 1.25

require (
	github.com/pulumi/pulumi/sdk/v3 v3.250.0
	pulumi-clouddb.invalid/sdk/go v0.0.0
)
`;

const replacement = "replace pulumi-clouddb.invalid/sdk/go => ../sdks/clouddb";
const build = "go build -o bin/shop .";
const settings = "name: tests\nruntime: { name: go, options: { binary: bin/shop } }\n";
/** Commands that other tests run. */
const others = ["go get github.com/pulumi/pulumi/sdk/v3@latest"];

test("the page contains only code of this file", () => {
    const [block] = blocksOf(page, ["go"]);
    const lines = (block?.text ?? "").split("\n").filter((line) => !line.startsWith("//"));
    expect(lines).toHaveLength(6);
    expect(lines.filter((line) => !program.includes(line))).toEqual([]);
    const [, list = ""] = read(page).split("```\n\n");
    const codes = [...(list.split("\n\n")[0] ?? "").matchAll(/`(.+?)`/g)].map(([, code = ""]) => code);
    const known = ["undefined: pulumi.InvokeOutputOptions", replacement, "go.mod", build, settings, ...others].join(
        "\n",
    );
    expect(codes).toHaveLength(6);
    expect(codes.filter((code) => !known.includes(code))).toEqual([]);
});

testWith("go")("what the page says to teams that use Go", async () => {
    const emulator = await startFastEmulator();
    const project = await Project.create("go", emulator, { program });
    project.write("Pulumi.yaml", project.read("Pulumi.yaml").replace(/^name: [^]*^runtime: go$/m, settings));

    await project.shell(build);
    await project.up();
    expect(await project.outputs()).toMatchObject({ exists: false, size: 500 });
    const preview = (key: string) => project.shell(`KEY=${key} pulumi preview --non-interactive`);
    await preview("copies");
    await expect(preview("reports")).rejects.toThrow();

    await project.shell("mkdir databases && cp go.sum databases");
    project.write("databases/main.go", program);
    project.write("databases/go.mod", secondModule);
    await expect(project.shell("cd databases && go build -o /dev/null .")).rejects.toThrow("pulumi-clouddb.invalid");
    project.write("databases/go.mod", `${secondModule}\n${replacement.replace("../sdks/clouddb", goModule)}\n`);
    await project.shell("cd databases && go build -o /dev/null .");
});
