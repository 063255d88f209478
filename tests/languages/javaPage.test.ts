import { readFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf } from "../support/documents";
import { startFastEmulator } from "../support/engine";
import { fileOf, Project, root, testWith } from "./language";
import { failureOf } from "./shop";

// What the page says about Java happens, and its code compiles.

const page = "examples/java/README.md#what-differs-from-typescript";

const ofPage = ".vpcId(first.vpcId().applyValue(id -> id.filter(x -> !x.isEmpty()).orElse(null)))";

const program = (second = ofPage) => `package shop;

import com.pulumi.Pulumi;
import com.pulumi.clouddb.*;
import com.pulumi.clouddb.inputs.*;
import com.pulumi.core.*;
import com.pulumi.deployment.InvokeOutputOptions;
import com.pulumi.resources.CustomResourceOptions;
import java.util.Map;
import java.util.Optional;
import java.util.stream.*;

public class App {
    public static void main(String[] args) {
        Pulumi.run(context -> {
            var first = new Service("first", ServiceArgs.builder().cpuMillis(500).memoryGbs(2).build());
            var stage = Output.of("PROD");
            new Service("second", ServiceArgs.builder().cpuMillis(500).memoryGbs(2)
${second}
.environment(stage.applyValue(Either::ofLeft))
                .build(), CustomResourceOptions.builder()
.aliases(Alias.withUrn("urn:pulumi:dev::shop::clouddb:index:Service::bills"), Alias.noParent())
                .build());
var after = new InvokeOutputOptions.Builder().dependsOn(first).build();
            var found = ClouddbFunctions.getServices(GetServicesArgs.Empty, after);
            context.export("hasFirst", found.applyValue(all -> all.services().size() > 0));
            context.export("port", first.poolerPort());
            context.export("hostIsEmpty", first.poolerHost().applyValue(host -> host.get().isEmpty()));
            var methods = Stream.of(CustomResourceOptions.Builder.class.getMethods()).map(one -> one.getName());
            var missing = methods.filter(one -> one.matches("transforms|hooks|deletedWith"));
            context.export("options", Output.of(missing.collect(Collectors.toList())));
            var orders = new ProductionDatabase("orders", ProductionDatabaseArgs.builder().cpuMillis(500)
                .readReplicas(Map.of("copies", ReadReplicaArgs.builder().build())).build());
context.export("copies", orders.readReplicas().apply(sets -> sets.get("copies").connectionString()));
        });
    }
}
`;

const mocked = `package shop;

import com.pulumi.clouddb.*;
import com.pulumi.clouddb.inputs.*;
import com.pulumi.test.*;
import java.util.*;
import java.util.concurrent.CompletableFuture;

public class Mocked {
    public static void main(String[] args) {
        for (var isRemoved : List.of(true, false)) {
            var result = PulumiTest.withMocks(new Mocks() {
                @Override
                public CompletableFuture<ResourceResult> newResourceAsync(ResourceArgs args) {
                    var state = new HashMap<String, Object>(args.inputs);
                    if (isRemoved) {
state.remove("readReplicas");
                    }
                    return CompletableFuture.completedFuture(ResourceResult.of(Optional.of(args.name), state));
                }
            }).runTest(context -> new ProductionDatabase("orders", ProductionDatabaseArgs.builder().cpuMillis(500)
                .readReplicas(Map.of("copies", ReadReplicaArgs.builder().build())).build()));
            System.out.println("MOCKED " + isRemoved + " " + result.exitCode());
            PulumiTest.cleanup();
        }
    }
}
`;

test("the page contains only code of this file", () => {
    const [block] = blocksOf(page, ["java"]);
    const lines = (block?.text ?? "").split("\n").filter((line) => line !== "" && !line.startsWith("//"));
    expect(lines).toHaveLength(6);
    expect(lines.filter((line) => ![program(), mocked].some((text) => text.split("\n").includes(line)))).toEqual([]);
});

testWith("java")("what the page says to teams that use Java", async () => {
    const emulator = await startFastEmulator();
    const project = await Project.create("java", emulator);
    project.write(fileOf.java, program());
    project.write(fileOf.java.replace("App", "Mocked"), mocked);
    const addPackage = () => project.shell("pulumi package add " + root);

    // An existing project has neither the source folder nor its dependency.
    const pom = readFileSync(join(root, "examples", "templates", "java", "pom.xml"), "utf8");
    const existing = pom
        .replace(/<plugin>\s*<!-- Compiles the SDK[^]*?<\/plugin>/, "")
        .replace(/<dependency>\s*<groupId>com\.google[^]*?<\/dependency>/, "");
    project.write("pom.xml", existing);
    expect(await failureOf(addPackage())).toContain("package com.pulumi.clouddb does not exist");
    project.write("pom.xml", pom);
    await addPackage();

    await project.up();
    expect(await project.outputs()).toMatchObject({ hasFirst: true, port: 0, hostIsEmpty: true, options: [] });
    expect(emulator.snapshot().services.map(({ vpc_endpoint: network }) => network ?? undefined)).toEqual([
        undefined,
        undefined,
        undefined,
    ]);

    // An output without a value as it is: at once a new service without a network, and an error in place of an empty database.
    const asItIs = ".applyValue(Optional::get))";
    await project.pulumi("stack", "init", "empty");
    await project.pulumi("config", "set", "clouddb:deletionProtection", "false");
    project.write(fileOf.java, program(`.vpcId(first.vpcId()${asItIs}`));
    expect(await project.up()).toContain('vpcId "" counts as absent: the output that it is set to has no value');
    await project.up({ expectNoChanges: true });
    await project.pulumi("stack", "init", "adopting");
    project.write(fileOf.java, program(`.existingId(first.vpcId()${asItIs}`));
    const refusal = await failureOf(project.up());
    expect(refusal.replace(/\s+/g, " ")).toContain(
        'existingId "" has no value; correct the output that it is set to, or remove it',
    );

    const output = await project.shell("mvn -q -o compile exec:java -Dexec.mainClass=shop.Mocked 2>/dev/null");
    expect(output).toMatch(/MOCKED true 0[^]*MOCKED false [1-9]/);
});
