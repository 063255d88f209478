/** What the page about the emulator takes from its code. */
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "../lib/repository.mjs";
import { table } from "./sources.mjs";

/**
 * @param {import("./sources.mjs").Sources} sources
 * @returns {Record<string, string>} text by the name of its place
 */
export function emulatorParts(sources) {
    const { defaultDurations } = createRequire(join(ROOT, "package.json"))("./dist/emulator/durations.js");
    const help = execFileSync(process.execPath, [join(ROOT, "dist", "emulator", "cli.js"), "--help"], {
        encoding: "utf8",
        // The defaults in the text come from the environment, and this one is nobody's.
        env: {},
    });
    const routes = routesOf(sources.file("emulator/controlRoutes.ts"));
    return {
        help: `\`\`\`text\n${help.trim()}\n\`\`\``,
        options: table([
            ["option", "type", "meaning"],
            ...sources
                .members("emulator/options.ts", "EmulatorOptions")
                .map(({ name, type, text }) => [`\`${name}\``, `\`${type}\``, text]),
        ]),
        durations: table([
            ["duration", "default", "meaning"],
            ...sources
                .members("emulator/durations.ts", "Durations")
                .map(({ name, text }) => [`\`${name}\``, String(defaultDurations[name]), text]),
        ]),
        controls: table([
            ["control", "over HTTP", "meaning"],
            ...sources
                .members("emulator/controls.ts", "Controls")
                .map(({ name, text }) => [`\`${name}\``, `\`${routes.get(name) ?? ""}\``, text]),
        ]),
    };
}

/** @param {ts.SourceFile} file - with an object `routes` whose values have an `on` */
function routesOf(file) {
    /** @type {Map<string, string>} */
    const routes = new Map();
    for (const statement of file.statements) {
        if (!ts.isVariableStatement(statement)) continue;
        const [declaration] = statement.declarationList.declarations;
        const value = declaration?.initializer;
        if (declaration?.name.getText() !== "routes" || !value || !ts.isObjectLiteralExpression(value)) continue;
        for (const property of value.properties) {
            if (!ts.isPropertyAssignment(property) || !ts.isObjectLiteralExpression(property.initializer)) continue;
            const on = property.initializer.properties.find((one) => one.name?.getText() === "on");
            if (on && ts.isPropertyAssignment(on) && ts.isStringLiteral(on.initializer)) {
                routes.set(property.name.getText(), on.initializer.text);
            }
        }
    }
    return routes;
}
