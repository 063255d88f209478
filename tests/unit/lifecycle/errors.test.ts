import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rejectedToken, type TokenSource } from "../../../provider/api/accessToken";
import type { CallInfo } from "../../../provider/api/callAdvice";
import {
    ApiError,
    CloudDbError,
    ConnectionError,
    DeadlineError,
    InvalidResponseError,
    ProjectNotFoundError,
} from "../../../provider/api/callErrors";
import { format, way } from "../../../provider/base/message";
import * as errors from "../../../provider/lifecycle/errors";
import { filesBelow, read } from "../../support/documents";

const urn = (name: string) => `urn:pulumi:dev::shop::clouddb:index:Service::${name}`;
const orders = 'Service "orders"';
const region = 'regionCode "us-east-1" -> "eu-west-1"';
const ordersWithId = 'Service "orders" (jl6mm9xxa2)';
const old = { id: "jl6mm9xxa2", description: "created 3 h ago, 1000m/4GB" };
const adoptable = { ...old, refusal: undefined };
const other = { id: "wn3nlzt505", description: "" };
const inEurope = { ...other, refusal: "it is in eu-west-1, and the program declares us-east-1" };
const [project, setting] = ["emulator01", "CLOUDDB_PROJECT_ID"];
const call = {
    operation: "createService",
    method: "POST" as const,
    path: `/projects/${project}/services`,
    baseUrl: "http://127.0.0.1:8080/v1",
    baseUrlSetting: "CLOUDDB_BASE_URL",
    projectSetting: setting,
    requestId: "request001",
};
const apiError = (status: number, code: string, text: string) => new ApiError(call, status, code, text, undefined);
const lost = new ConnectionError(call, "ECONNRESET", "unknown");
const unpaid = apiError(402, "PAYMENT_REQUIRED", "the project has no payment method");
const unset = new CloudDbError("The environment variable PW (passwordVariable) is not set; set it to the password.");

const overlaps = 'its cidr 10.0.0.0/16 overlaps 10.0.8.0/24 of VPC 43 ("other").';
const overlap = { what: overlaps, ways: [way("Another network", "declare another cidr")] };
const partner = urn("partner").replace("Service", "Peering");

const refused = (cause: errors.DeletionCause, deleted: readonly string[] = []) =>
    errors.deletionRefused(ordersWithId, { id: old.id, urn: urn("orders") }, cause, deleted);

/** The messages about deletion, replacement, adoption and duplicates. */
const messages: Readonly<Partial<Record<keyof typeof errors, readonly CloudDbError[]>>> = {
    replacementRefused: [
        errors.replacementRefused(ordersWithId, region, urn("orders"), true),
        errors.replacementRefused(orders, errors.forcedBy, urn("orders"), true),
    ],
    deletionRefused: [
        refused("undeclared"),
        refused("destroy", ['Read replica set "readers" (jl6mm9xxa2/r1)', "Peering"]),
        refused("replaced"),
        refused("pending"),
    ],
    replacementImpossible: [
        errors.replacementImpossible(ordersWithId, undefined, unset),
        errors.replacementImpossible('Peering "partner" (42/7)', 'VPC "network" (42)', new CloudDbError(overlap)),
    ],
    creationPrevented: [errors.creationPrevented('VPC "network"', overlap, unpaid)],
    AdoptionError: [new errors.AdoptionError("jl6mm9xxa2", "it is being deleted")],
    AlreadyExistsError: [
        new errors.AlreadyExistsError(orders, [adoptable, inEurope], "orders", urn("orders"), true),
        new errors.AlreadyExistsError('Peering "partner"', [{ ...inEurope, id: "1/2" }], undefined, partner, false),
    ],
    nameInUse: [errors.nameInUse(orders, "jl6mm9xxa2", '"main"')],
    uncertainCreation: [
        errors.uncertainCreation(orders, [old], "orders", true, lost),
        errors.uncertainCreation('Peering "partner"', [old, other], undefined, false, lost),
    ],
    notFoundByDeletion: [new CloudDbError(errors.notFoundByDeletion(ordersWithId))],
    recordLost: [errors.recordLost("service", urn("orders"))],
    writtenByLater: [errors.writtenByLater("service", urn("orders"), 3, 2)],
    deletedOutside: [new CloudDbError(errors.deletedOutside(ordersWithId))],
    nothingVisible: [
        errors.nothingVisible(ordersWithId, urn("orders"), project, setting, true, [
            { noun: "VPC" },
            { noun: "service" },
        ]),
    ],
    operationFailed: [
        errors.operationFailed(orders, "created", unpaid),
        errors.operationFailed(orders, "created", lost),
        errors.operationFailed(ordersWithId, "updated", apiError(400, "BAD_REQUEST", "replica_count must be 0 to 2")),
        errors.operationFailed(ordersWithId, "deleted", apiError(403, "FORBIDDEN", "read only")),
    ],
    operationTimedOut: [lost, DeadlineError.after(apiError(429, "RATE_LIMITED", "too many requests"), 600_000)].map(
        (cause) => errors.operationTimedOut(ordersWithId, 3_600_000, "customTimeouts.update", cause),
    ),
    creationCancelled: [errors.creationCancelled(orders, lost)],
    invalidId: [errors.invalidId("S 1", "the id of a service has the form SERVICE (lower-case letters and digits)")],
    missingResource: [errors.missingResource("service", "jl6mm9xxa2", project, setting)],
};

/** The other exports: classes of errors with these messages, and parts of them. */
const others: readonly (keyof typeof errors)[] = [
    ...(["OperationFailedError", "PartialFailure", "addsAlias", "deletesOrphan"] as const),
    ...(["forcedBy", "quotedName", "needDependsOn", "shellQuoted"] as const),
];

const remote = { ...call, baseUrl: "https://api.example.com:8443/public/api/v1" };
const proxy = { variable: "https_proxy", url: "http://proxy.example.com:3128" };
const failing = (status: number) => new ApiError(call, status, undefined, undefined, undefined);
const unanswered = (of: CallInfo, code: string) => new ConnectionError(of, code, "no");
const rejectedIn = (source: TokenSource) =>
    new ApiError(call, 401, "UNAUTHENTICATED", "No.", undefined, rejectedToken(source));
const token = { token: "t" };
const environment = { kind: "environment", name: "CLOUDDB_ACCESS_TOKEN", value: token } as const;

/** The messages of failed calls. */
const calls: Readonly<Record<string, readonly CloudDbError[]>> = {
    ApiError: [400, 402, 403, 404, 409, 422, 423, 429, 500].map(failing),
    "a rejected token": [
        rejectedIn({ kind: "config", name: "clouddb:accessToken", value: token }),
        rejectedIn(environment),
        rejectedIn({ kind: "provider", name: 'accessToken of provider "analytics"', value: token }),
        rejectedIn({ kind: "config", name: "clouddb:accessTokenFile", value: { file: "/run/token" } }),
    ],
    ConnectionError: [
        lost,
        new ConnectionError({ ...remote, method: "GET" }, "ECONNRESET", "unknown"),
        ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ECONNABORTED", "ETIMEDOUT", "EPROTO", "CERT_HAS_EXPIRED"].map(
            (code) => unanswered(remote, code),
        ),
        unanswered(remote, "DEPTH_ZERO_SELF_SIGNED_CERT"),
        unanswered(call, "ECONNREFUSED"),
        unanswered({ ...remote, proxy }, "ENOTFOUND"),
        unanswered({ ...remote, proxy }, "PROXY_407"),
    ],
    InvalidResponseError: [
        new InvalidResponseError(call, 200, "HTML instead of JSON"),
        new InvalidResponseError(call, 401, "malformed JSON", "address", rejectedToken(environment)),
    ],
    ProjectNotFoundError: [new ProjectNotFoundError(failing(404))],
};

const texts = Object.entries({ ...messages, ...calls }).map(([name, found]) => [
    name,
    ...found.map(({ message }) => message),
]);
const all = Object.values({ ...messages, ...calls }).flat();
const sources = ["provider", "sdk/nodejs", "cli"].flatMap((folder) => filesBelow(folder, ".ts"));

test("the messages are the approved ones", () => {
    const approved = readFileSync(join(__dirname, "approved", "messages.txt"), "utf8");
    expect(`${texts.map((found) => found.join("\n\n")).join("\n\n\n")}\n`).toBe(approved);
    expect([...Object.keys(messages), ...others].sort()).toEqual(Object.keys(errors).sort());
});

describe("the layout of a message", () => {
    test("every error of the package is formatted by one function", () => {
        const composing = [...sources, ...filesBelow("plugin", ".ts")].flatMap((file) =>
            Array.from(read(file).matchAll(/ extends Error\b/g), () => file),
        );
        expect(composing).toEqual(["provider/api/callErrors.ts"]);
        expect(all.filter(({ message, parts }) => message !== format(parts))).toEqual([]);
    });

    test("the first line says what happened, and each way out has a line of its own", () => {
        const mixed = all.filter(({ parts: { what } }) =>
            /`|[.:] (run|declare|set|add|remove|check|correct) /i.test(what),
        );
        expect(mixed.map(({ message }) => message)).toEqual([]);
    });

    test("the first two lines have at most 240 characters", () => {
        const lengths = all.map(({ message }) => [message.split("\n", 2).join("\n").length, message] as const);
        expect(lengths.filter(([length]) => length > 240)).toEqual([]);
    });
});

describe("no message contains a command or a line that can delete a live database", () => {
    test("the commands in messages that delete something are the approved ones", () => {
        const isCommand = /`((?:pulumi|npx|curl|\$\{commandLine\(\S+\)\}) [^`\\]*)/g;
        const commands = sources.flatMap((file) =>
            Array.from(read(file).matchAll(isCommand), ([, found = ""]) => found),
        );
        const deleting = commands.filter((command) => /destroy|delete|replace|remove|taint|protect/i.test(command));
        expect([...new Set(deleting)].sort()).toEqual([
            'curl -X DELETE ${authorizations[kind](token)} "$CLOUDDB_BASE_URL${path}"',
            // The read replica sets of a service and the peerings of a VPC, which have no data of their own.
            "pulumi destroy --target 'URN'",
            // It prints the requests that delete what no stack manages.
            'pulumi stack export | ${commandLine("orphans")} --delete-commands -',
            // It removes an entry from the state, which is then imported or adopted.
            "pulumi state delete ${shellQuoted(urn)}",
            // It removes an entry from the state, of a project that does not exist.
            "pulumi state delete --force 'URN'",
            // It removes a mark from an entry.
            "pulumi state untaint ${shellQuoted(urn)}",
            // A read replica set.
            "pulumi up --replace",
            "pulumi up --replace ${shellQuoted(state.record.urn)}",
        ]);
    });

    test("a shell takes each URN in a command as it is: the URN of a child of a component contains a $", () => {
        const urns = [...texts.flat(), ...sources.map(read)]
            .flatMap((text) => text.match(/`[^`\n]*`/g) ?? [])
            .filter((command) => /\bpulumi (up|destroy|state)\b/.test(command))
            .flatMap((command) => command.match(/.(urn:|\$\{[^}]*urn\})/g) ?? []);
        expect(urns).not.toEqual([]);
        expect(urns.filter((found) => !found.startsWith("'"))).toEqual([]);
        const odd = "urn:pulumi:dev::shop::my:Shop$clouddb:index:Service::it's $(id) `id`";
        expect(execFileSync("sh", ["-c", `printf %s ${errors.shellQuoted(odd)}`], { encoding: "utf8" })).toBe(odd);
    });

    test("a message that permits a deletion has the permission recorded before anything is deleted", () => {
        const permitting = texts.flat().filter((text) => text.includes("deletionProtection: false"));
        expect(permitting).toHaveLength(6);
        expect(permitting.filter((text) => !/deletionProtection.* run `pulumi up`[,;]/.test(text))).toEqual([]);
        const others = /allowReplace|retainOnDelete|protect: false|ignore-protect|unprotect/;
        expect(texts.flat().filter((text) => others.test(text))).toEqual([]);
    });
});
