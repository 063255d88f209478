import { execFileSync } from "node:child_process";
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
import { format, shellQuoted, way, type Message } from "../../../provider/base/message";
import { forcedBy, messages } from "../../../provider/lifecycle/messages";
import { filesBelow, read } from "../../support/documents";

const urn = (name: string) => `urn:pulumi:dev::shop::clouddb:index:Service::${name}`;
const orders = 'Service "orders"';
const region = 'regionCode "us-east-1" -> "eu-west-1"';
const ordersWithId = 'Service "orders" (jl6mm9xxa2)';
const adoptable = { id: "jl6mm9xxa2", description: "created 3 h ago, 1000m/4GB", refusal: undefined };
const other = { id: "wn3nlzt505", description: "", refusal: undefined };
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
const lost = new ConnectionError(call, "ECONNRESET", "maybe");
const unpaid = apiError(402, "PAYMENT_REQUIRED", "the project has no payment method");

const overlaps = 'its cidr 10.0.0.0/16 overlaps 10.0.8.0/24 of VPC 43 ("other").';
const overlap = { what: overlaps, ways: [way("Another network", "declare another cidr")] };
const partner = 'Peering "partner"';
const partnerUrn = urn("partner").replace("Service", "Peering");
const pausing = DeadlineError.after(apiError(429, "RATE_LIMITED", "too many requests"), 600_000);
const failed = (verb: "created" | "updated" | "deleted", failure: ApiError | ConnectionError) =>
    new CloudDbError(messages.operationFailed(verb === "created" ? orders : ordersWithId, verb, failure));

/** Examples of the messages about resources. */
const examples = (): Readonly<Record<keyof typeof messages, readonly (Message | CloudDbError)[]>> => ({
    replacementRefused: [
        messages.replacementRefused(ordersWithId, region, urn("orders"), true),
        messages.replacementRefused(orders, forcedBy, urn("orders"), true),
    ],
    deletionRefused: [messages.deletionRefused(ordersWithId, false), messages.deletionRefused(ordersWithId, true)],
    replacementImpossible: [
        messages.replacementImpossible(
            'Peering "partner" (42/7)',
            'VPC "network" (42)',
            'it has service "theirs" (wn3nlzt505)',
            [way("In this stack", "set dependsOn")],
        ),
    ],
    deletedWhileUsed: [messages.deletedWhileUsed(ordersWithId, "vpcId", "42", "service")],
    existingIdChanged: [messages.existingIdChanged("wn3nlzt505", adoptable.id, "service")],
    creationPrevented: [new CloudDbError(messages.creationPrevented('VPC "network"', overlap, unpaid))],
    adoptionRefused: [messages.adoptionRefused(adoptable.id, "it is being deleted")],
    alreadyExists: [
        messages.alreadyExists(orders, [adoptable, inEurope], "orders", urn("orders"), true),
        messages.alreadyExists(partner, [{ ...inEurope, id: "1/2" }], undefined, partnerUrn, false),
    ],
    nameInUse: [messages.nameInUse(orders, '"main"', adoptable.id)],
    uncertainCreation: [
        new CloudDbError(messages.uncertainCreation(orders, [adoptable], "orders", true, lost)),
        new CloudDbError(messages.uncertainCreation(partner, [adoptable, other], undefined, false, lost)),
    ],
    createdOtherwise: [undefined, { urn: urn("orders") }].map((adopted) =>
        messages.createdOtherwise(ordersWithId, region, adopted),
    ),
    notShown: [messages.notShown(ordersWithId, "regionCode")],
    deletedOutside: [true, false].map((hasData) => messages.deletedOutside(ordersWithId, hasData)),
    notFoundByDeletion: [messages.notFoundByDeletion(ordersWithId, remote.baseUrl, project)],
    recordLost: [messages.recordLost("service", urn("orders"))],
    writtenByLater: [messages.writtenByLater("service", urn("orders"), 3, 2)],
    nothingVisible: [messages.nothingVisible(ordersWithId, urn("orders"), project, setting, ["VPC", "service"])],
    operationFailed: [
        failed("created", unpaid),
        failed("created", lost),
        failed("updated", apiError(400, "BAD_REQUEST", "replica_count must be 0 to 2")),
        failed("deleted", apiError(403, "FORBIDDEN", "read only")),
    ],
    operationTimedOut: [lost, pausing].map(
        (cause) =>
            new CloudDbError(messages.operationTimedOut(ordersWithId, 3_600_000, "customTimeouts.update", cause)),
    ),
    creationCancelled: [new CloudDbError(messages.creationCancelled(orders, lost))],
    invalidId: [messages.invalidId("S 1", "the id of a service has the form SERVICE (letters, digits and -)")],
    notImported: [messages.notImported(ordersWithId, "CONFIGURING")],
    missingResource: [true, false].map((isGone) =>
        messages.missingResource("service", adoptable.id, project, setting, isGone),
    ),
});

/** The heading of docs/troubleshooting.md for each message, or why it has none. */
const headings: Readonly<Record<keyof typeof messages, string>> = {
    replacementRefused: "### A protected database",
    deletionRefused: "### A protected database",
    alreadyExists: "### A protected database",
    nameInUse: "### Its name is in use",
    replacementImpossible: "### Something else prevents it",
    deletedWhileUsed: "### Something else prevents it",
    uncertainCreation: "### It may exist",
    operationTimedOut: "## Waits",
    existingIdChanged: "its two ways out are all",
    createdOtherwise: "### It cannot be adopted",
    creationPrevented: "### It was not created",
    creationCancelled: "### It may exist",
    adoptionRefused: "### It cannot be adopted",
    notShown: "### An import, and what the API does not show",
    deletedOutside: "### It does not exist",
    notFoundByDeletion: "### It does not exist",
    recordLost: "### An entry of the state cannot be used",
    writtenByLater: "### An entry of the state cannot be used",
    nothingVisible: "### It does not exist",
    operationFailed: "## Rejected requests",
    invalidId: "the id is wrong",
    notImported: "### An import, and what the API does not show",
    missingResource: "### It does not exist",
};

const remote = { ...call, baseUrl: "https://api.example.com:8443/public/api/v1" };
const proxy = { variable: "https_proxy", url: "http://proxy.example.com:3128" };
const failing = (status: number) => new ApiError(call, status, undefined, undefined, undefined);
const unanswered = (of: CallInfo, code: string) => new ConnectionError(of, code, "no");
const rejectedIn = (source: TokenSource) =>
    new ApiError(call, 401, "UNAUTHENTICATED", "No.", undefined, rejectedToken(source));
const token = { token: "t" };
const environment = { kind: "environment", name: "CLOUDDB_ACCESS_TOKEN", value: token } as const;

/** The messages of failed calls. */
const calls = (): Readonly<Record<string, readonly CloudDbError[]>> => ({
    ApiError: [400, 402, 403, 404, 409, 422, 423, 429, 500].map(failing),
    "a rejected token": [
        rejectedIn({ kind: "config", name: "clouddb:accessToken", value: token }),
        rejectedIn(environment),
        rejectedIn({ kind: "provider", name: 'accessToken of provider "analytics"', value: token }),
        rejectedIn({ kind: "config", name: "clouddb:accessTokenFile", value: { file: "/run/token" } }),
    ],
    ConnectionError: [
        lost,
        new ConnectionError({ ...remote, method: "GET" }, "ECONNRESET", "maybe"),
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
});

const errorsOf = (key: keyof typeof messages) =>
    examples()[key].map((one) => (one instanceof CloudDbError ? one : new CloudDbError(one)));
const keys = Object.keys(messages) as (keyof typeof messages)[];
const found = () => new Map([...keys.map((key) => [key, errorsOf(key)] as const), ...Object.entries(calls())]);
const all = () => [...found().values()].flat();
const textsOf = (errors: readonly CloudDbError[] = []) => errors.map(({ message }) => message);
const texts = () => textsOf(all());
const sources = ["provider", "sdk/nodejs", "cli"].flatMap((folder) => filesBelow(folder, ".ts"));

describe("the approved messages", () => {
    const sections = read("tests/unit/lifecycle/approved/messages.txt").trim().split("\n\n\n");
    const approved = sections.map((section) => section.split("\n\n"));

    test.each(approved)("%s", (key, ...ofKey) => {
        expect(textsOf(found().get(key))).toEqual(ofKey);
    });

    test("are all in use", () => {
        expect(approved.map(([key]) => key).sort()).toEqual([...found().keys()].sort());
    });
});

const page = read("docs/troubleshooting.md");
const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

test.each(keys.filter((key) => headings[key].startsWith("#")))(
    "docs/troubleshooting.md quotes the beginning of %s",
    (key) => {
        const [, section = ""] = page.split(`${headings[key]}\n`);
        const [, quotes = ""] = section.split("```");
        const patterns = quotes
            .split("\n")
            .slice(1, -1)
            .map((line) => new RegExp(`^${line.split("…").map(literally).join(".+")}`));
        const first = errorsOf(key).map(({ parts: { what } }) => what);
        expect(first.filter((what) => patterns.some((pattern) => pattern.test(what)))).not.toEqual([]);
    },
);

describe("the layout of a message", () => {
    test("every error of the package is formatted by one function", () => {
        const composing = [...sources, ...filesBelow("plugin", ".ts")].flatMap((file) =>
            Array.from(read(file).matchAll(/ extends Error\b/g), () => file),
        );
        expect(composing).toEqual(["provider/api/callErrors.ts"]);
        expect(all().filter(({ message, parts }) => message !== format(parts))).toEqual([]);
    });

    test("the first line says what happened, and each way out has a line of its own", () => {
        const mixed = all().filter(({ parts: { what } }) =>
            /`|[.:] (run|declare|set|add|remove|check|correct) /i.test(what),
        );
        expect(textsOf(mixed)).toEqual([]);
    });

    test("the first two lines have at most 240 characters", () => {
        const lengths = all().map(({ message }) => [message.split("\n", 2).join("\n").length, message] as const);
        expect(lengths.filter(([length]) => length > 240)).toEqual([]);
    });
});

describe("no message contains a command or a line that can delete a live database", () => {
    test("the commands in messages that delete something are the approved ones", () => {
        const isCommand = /`((?:pulumi|npx|curl|printf|\$\{commandLine\(\S+\)\}) [^`\\]*)/g;
        const commands = sources.flatMap((file) =>
            Array.from(read(file).matchAll(isCommand), ([, found = ""]) => found),
        );
        const deleting = commands.filter((command) => /destroy|delete|replace|remove|taint|protect/i.test(command));
        expect([...new Set(deleting)].sort()).toEqual([
            `printf '\${options[kind]} = %s' "\${token}" | curl --config - -X DELETE "$CLOUDDB_BASE_URL\${path}"`,
            // The read replica sets of a service and the peerings of a VPC, which have no data of their own.
            "pulumi destroy --target 'URN'",
            // It prints the requests that delete what no stack manages.
            'pulumi stack export | ${commandLine("orphans")} --delete-commands -',
            // It removes an entry from the state, whose resource the stack does not delete.
            "pulumi state delete --force ${shellQuoted(adopted.urn)}",
            // It removes an entry from the state, which is then imported or adopted.
            "pulumi state delete --force ${shellQuoted(urn)}",
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
        const urns = [...texts(), ...sources.map(read)]
            .flatMap((text) => text.match(/`[^`\n]*`/g) ?? [])
            .filter((command) => /\bpulumi (up|destroy|state)\b/.test(command))
            .flatMap((command) => command.match(/.(urn:|\$\{[^}]*urn\})/g) ?? []);
        expect(urns).not.toEqual([]);
        expect(urns.filter((found) => !found.startsWith("'"))).toEqual([]);
        const odd = "urn:pulumi:dev::shop::my:Shop$clouddb:index:Service::it's $(id) `id`";
        expect(execFileSync("sh", ["-c", `printf %s ${shellQuoted(odd)}`], { encoding: "utf8" })).toBe(odd);
    });

    test("a message that permits a deletion has the permission recorded before anything is deleted", () => {
        const permitting = texts().filter((text) => text.includes("deletionProtection: false"));
        expect(permitting).toHaveLength(4);
        expect(permitting.filter((text) => !/deletionProtection.* run `pulumi up`[,;]/.test(text))).toEqual([]);
        const others = /allowReplace|retainOnDelete|protect: false|ignore-protect|unprotect/;
        expect(texts().filter((text) => others.test(text))).toEqual([]);
    });
});
