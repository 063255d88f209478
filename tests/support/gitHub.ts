import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onlyIf } from "./skipped";

/**
 * A fake gh, for the repository us/shop and its pull request 42. In the current folder, it stores comments in comments.json and
 * issues in issues.json, and finds Pulumi.yaml. It writes as the user of the workflow's own token.
 */
const fakeGh = String.raw`#!/usr/bin/env node
const { execFileSync } = require("node:child_process");
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { parseArgs } = require("node:util");
const text = { type: "string" };
const options = { paginate: { type: "boolean" }, silent: { type: "boolean" }, method: text, header: text, field: { ...text, multiple: true }, jq: text };
const { values: { method = "GET", field = [], jq }, positionals: [command, url] } = parseArgs({ options, allowPositionals: true });
if (command !== "api") throw new Error("gh " + command);
const stores = {
    "comments.json": { all: /^repos.us.shop.issues.42.comments$/, one: /^repos.us.shop.issues.comments.(\d+)$/ },
    "issues.json": { all: /^repos.us.shop.issues(\?state=open&per_page=100)?$/, one: /^repos.us.shop.issues.(\d+)$/ },
};
const print = (input) => process.stdout.write(execFileSync("jq", ["-r", jq], { input }));
if (url === "repos/us/shop/environments/prod") return print(process.env.ENVIRONMENT);
const [, path] = /^repos.us.shop.contents.(.*Pulumi.yaml)\?ref=merged$/.exec(url) ?? [];
if (path) return process.stdout.write(readFileSync(path));
const [file] = Object.keys(stores).filter((name) => stores[name][method === "PATCH" ? "one" : "all"].test(url));
const list = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
if (method === "GET") return print(JSON.stringify(list));
const given = Object.fromEntries(field.map((one) => one.split(/=(.*)/s)));
given.body = readFileSync(given.body.slice(1), "utf8");
const number = Number(stores[file].one.exec(url)?.[1]);
const found = list.find((one) => one.id === number || one.number === number);
if (method === "POST") list.push({ id: 100 + list.length, number: 7 + list.length, user: { login: "github-actions[bot]" }, ...given });
else Object.assign(found, given);
writeFileSync(file, JSON.stringify(list));
`;

/** Writes the fake gh below a folder, and returns the folder that belongs on PATH. */
export function installFakeGh(folder: string): string {
    const commands = join(folder, "commands");
    mkdirSync(commands, { recursive: true });
    writeFileSync(join(commands, "gh"), fakeGh, { mode: 0o755 });
    return commands;
}

/** What GitHub sets in a step of a run for the pull request 42, and what preview.yml adds to it. */
export const stepOfPullRequest = {
    GITHUB_REPOSITORY: "us/shop",
    GITHUB_SERVER_URL: "https://github.example",
    GITHUB_RUN_ID: "77",
    GITHUB_SHA: "merged",
    GITHUB_STEP_SUMMARY: "summary.md",
    NUMBER: "42",
    PULUMI_PROGRAM: "",
};

/** Like describe, but skipped without jq, whose language the filters of gh have. */
export const describeWithJq = onlyIf<() => void>(spawnSync("jq", ["--version"]).status === 0, "no jq", describe);
