import { describeOnWindows, packageOf, startProject, writeFile, type Host } from "./windows";

/** Each file of a password has what an editor or a shell of Windows writes. */
const files = {
    "orders.txt": "\ufeffa-password-of-orders\r\n",
    "secrets\\reports.txt": "a-password-of-reports\r\n",
};

const programOf = (host: Host) => `
const { Service } = require("${packageOf(host)}");
new Service("orders", { passwordFile: "orders.txt", passwordVersion: 1 });
new Service("reports", { passwordFile: ${JSON.stringify("secrets\\reports.txt")}, passwordVersion: 1 });
new Service("archive", { passwordFile: ${JSON.stringify("C:\\secrets\\archive.txt")}, passwordVersion: 1 });
`;

describeOnWindows("on Windows, secrets in files", () => {
    test.each<Host>(["dynamic", "plugin"])(
        "are read on the %s host with CRLF and a byte order mark, at relative and absolute paths",
        async (host) => {
            const folder = `C:\\files-${host}`;
            const stack = await startProject(folder, { "index.js": programOf(host) });
            Object.entries(files).forEach(([name, text]) => stack.write(name, text));
            writeFile("C:\\secrets\\archive.txt", "a-password-of-archive");
            writeFile("C:\\secrets\\token.txt", `\ufeff${stack.emulator.token}\r\n`);
            stack.env({ CLOUDDB_ACCESS_TOKEN: "" });
            await stack.pulumi("config", "set", "clouddb:accessTokenFile", "C:\\secrets\\token.txt");
            expect(await stack.pulumi("preview")).toContain('file "secrets\\\\reports.txt"');
            await stack.pulumi("up", "--yes", "--skip-preview");
            for (const { name, service_id: id } of stack.emulator.snapshot().services) {
                const password = `a-password-of-${name.replace(/-\w+$/, "")}`;
                expect([name, stack.emulator.passwordMatches(id, password)]).toEqual([name, true]);
            }
            expect(stack.emulator.snapshot().services).toHaveLength(3);
            stack.write("orders.txt", "p\u0000a\u0000");
            stack.write("index.js", programOf(host).replace("passwordVersion: 1", "passwordVersion: 2"));
            const refused = await stack.failing("up", "--yes", "--skip-preview");
            expect(refused).toMatch(/C:\\files-\w+\\orders\.txt \(passwordFile\) is not UTF-8; save it as UTF-8/);
        },
    );
});
