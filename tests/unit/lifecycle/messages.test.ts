import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as errors from "../../../provider/lifecycle/errors";
import { filesBelow, read } from "../../support/documents";

const urn = (name: string) => `urn:pulumi:dev::shop::clouddb:index:Service::${name}`;
const orders = 'Service "orders"';
const region = 'regionCode "us-east-1" -> "eu-west-1"';
const old = { id: "s1", age: "3 h" };
const adoptable = { ...old, refusal: undefined };
const inEurope = { id: "s2", age: "", refusal: "it is in eu-west-1, and the program declares us-east-1" };
const lost = new Error("the connection was lost");

const replaced = (successor: string | undefined) => ({ kind: "replaced", urn: urn("orders"), successor }) as const;

/** The messages about deletion, replacement, adoption and duplicates. */
const messages: Readonly<Partial<Record<keyof typeof errors, readonly Error[]>>> = {
    replacementRefused: [
        errors.replacementRefused(orders, region, "be lost"),
        errors.replacementRefused(orders, region, "remain in a last copy"),
        errors.replacementRefused('VPC "net"', 'cidr "10.0.0.0/16" -> "10.1.0.0/16"', undefined),
    ],
    deletionRefused: [
        errors.deletionRefused("service", "s1", "its state", { kind: "removed", created: undefined, urn: undefined }),
        errors.deletionRefused("service", "s1", "its state", { kind: "removed", created: "s2", urn: urn("main") }),
        ...(["its state", "the program"] as const).flatMap((protector) => [
            errors.deletionRefused("service", "s1", protector, replaced(undefined)),
            errors.deletionRefused("service", "s1", protector, replaced("s2")),
        ]),
    ],
    deletionWithoutState: [errors.deletionWithoutState("service", "s1")],
    deletionPending: [
        errors.deletionPending("service", "s1", '"copy" copies its data, and has not been created'),
        errors.deletionPending(
            "service",
            "s1",
            '"main" manages it now, and only this entry of the state has its password',
            'Declare password for "main"',
        ),
    ],
    copyOfReplacement: [
        errors.copyOfReplacement(
            '"copy" would copy "orders", which this run replaces',
            "fork.serviceId",
            '"copy"',
            "s1",
        ),
        errors.copyOfReplacement(
            'service s1 is not deleted: "copy" copies s2, which has taken its place',
            "fork.serviceId",
            '"copy"',
            undefined,
        ),
    ],
    copyOfEarlierReplacement: [
        errors.copyOfEarlierReplacement("service", '"copy"', {
            urn: urn("orders"),
            id: "s2",
            former: "s1",
            input: "fork.serviceId",
        }),
    ],
    replacementImpossible: [
        errors.replacementImpossible(
            "service",
            "s1",
            new Error("The environment variable PW (passwordVariable) is not set."),
        ),
    ],
    importChanged: [errors.importChanged("service", "s1", "s2")],
    existingIdInStack: [errors.existingIdInStack("s1", urn("orders"))],
    AdoptionError: [new errors.AdoptionError("s1", "it is being replaced")],
    AlreadyExistsError: [
        new errors.AlreadyExistsError(orders, [adoptable], true),
        new errors.AlreadyExistsError(orders, [adoptable, inEurope], true),
        new errors.AlreadyExistsError('Peering "to vpc-1"', [{ ...inEurope, id: "1/2" }], false),
    ],
    nameInUse: [errors.nameInUse(orders, "s1", '"main"')],
    unprovenCreation: [errors.unprovenCreation(orders, old, lost)],
    ambiguousCreation: [errors.ambiguousCreation(orders, ["s1", "s2"], lost)],
    nothingVisible: [errors.nothingVisible("service", "s1", "emulator01")],
};

/** The other exports: classes of errors with these messages, parts of them, and messages about other subjects. */
const others: readonly (keyof typeof errors)[] = [
    "PartialFailure",
    "UncertainCreationError",
    "addsAlias",
    "afterUnfinishedRun",
    "creationCancelled",
    "deletesOrphan",
    "explained",
    "forcedBy",
    "invalidId",
    "missingResource",
    "nameIn",
    "needDependsOn",
    "operationTimedOut",
    "pauseRequested",
];

const texts = Object.entries(messages).map(([name, found]) => [name, ...found.map(({ message }) => message)]);

test("the messages about deletion, replacement, adoption and duplicates are the approved ones", () => {
    const approved = readFileSync(join(__dirname, "approved", "messages.txt"), "utf8");
    expect(`${texts.map((lines) => lines.join("\n")).join("\n\n")}\n`).toBe(approved);
    expect([...Object.keys(messages), ...others].sort()).toEqual(Object.keys(errors).sort());
});

describe("no message contains a command or a line that can delete a live database", () => {
    const sources = ["provider", "sdk/nodejs", "cli"].flatMap((folder) => filesBelow(folder, ".ts"));

    test("the commands in messages that delete something are the approved ones", () => {
        const commands = sources.flatMap((file) =>
            [...read(file).matchAll(/`((?:pulumi|npx|curl|\$\{commandLine\(\S+\)\}) [^`\\]*)/g)].map(
                ([, command = ""]) => command,
            ),
        );
        const deleting = commands.filter((command) => /destroy|delete|replace|remove|taint|protect/i.test(command));
        expect([...new Set(deleting)].sort()).toEqual([
            'curl -X DELETE ${authorizations[kind](token)} "${url}"',
            // The read replica sets of a service, which have no data of their own.
            "pulumi destroy --target",
            // A peering. Pulumi refuses it if something depends on the peering.
            "pulumi destroy --target ${name}",
            // It prints the requests that delete what no stack manages.
            'pulumi stack export | ${commandLine("orphans")} --delete-commands -',
            // These remove an entry from the state and keep the resource.
            "pulumi state delete --force",
            "pulumi state delete --force '${removal.urn}'",
            "pulumi state delete --force '${urn}'",
            // It undoes a taint, so that nothing is replaced.
            "pulumi state untaint",
            "pulumi state untaint '${urn}'",
            // A read replica set, and a peering.
            "pulumi up --replace",
            "pulumi up --replace ${name}",
        ]);
    });

    test("a shell takes each URN in a command as it is: the URN of a child of a component contains a $", () => {
        const lines = [...texts.flat(), ...sources.map(read)].flatMap((text) => [...text.matchAll(/`[^`\n]*`/g)]);
        const commands = lines
            .map(([command]) => command)
            .filter((command) => /\bpulumi (up|destroy|state)\b/.test(command));
        const urns = commands.flatMap((command) => [...command.matchAll(/(.)(urn:|\$\{[^}]*urn\})/g)]);
        expect(urns.length).toBeGreaterThan(3);
        expect(urns.filter(([, before]) => before !== "'").map(([found]) => found)).toEqual([]);
    });

    test("a message that permits a deletion has the permission recorded before anything is deleted", () => {
        const permitting = texts.flat().filter((text) => text.includes("deletionProtection: false"));
        expect(permitting).toHaveLength(8);
        for (const text of permitting) {
            expect(text).toMatch(
                /do that, set deletionProtection: false and run `pulumi up`; then|declare it with deletionProtection: false, run `pulumi up`, and repeat|because its entry has that value/,
            );
        }
        expect(texts.flat().join("\n")).not.toMatch(
            /allowReplace|retainOnDelete|protect: false|ignore-protect|unprotect/,
        );
    });
});
