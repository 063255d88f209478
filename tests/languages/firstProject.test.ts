import { mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { newFolder } from "../support/folder";
import { runShell, startOutside } from "../support/project";
import { pack } from "../support/registry";
import { commandsOfFirstProject, goCaches, stateOfEmulator } from "./firstProject";
import { pathWith, type Language } from "./language";
import { generatorFolder } from "./tools";
import { newUser } from "./withoutNode";

// Follows docs/languages.md in an empty folder with an empty home, for each template. npm installs the packed package.
// standalone.test.ts does the same with the archive of the plugin.

const generator = generatorFolder();
const languages: readonly Language[] = ["python", "go", "yaml", "java"];

const above = newFolder();
let user: NodeJS.ProcessEnv;

beforeAll(async () => {
    ({ user } = await startOutside(above));
});

describe.each(languages)("the first project in %s", (language) => {
    const path = pathWith(language);
    const testIfPossible = path === undefined || generator === undefined ? it.skip : it;

    testIfPossible(
        `the documented first project in ${language} creates a database, also after pulumi package add and pulumi install`,
        async () => {
            const folder = join(above, language);
            mkdirSync(folder);
            pack(folder);
            const project = join(folder, "shop-python");
            // The language host that Go can build ignores `virtualenv`. It uses the folder without activating it.
            const programs = [join(project, "venv", "bin"), join(project, "bin"), generator, path].join(delimiter);
            // The settings of a shell can put other folders at the start of PATH.
            const typed = `export PATH=${programs}\n${(await commandsOfFirstProject(language)).npmLines}`;
            // npm renames a .gitignore. `pulumi new` removes ${DESCRIPTION} from the name of the file in the template.
            const committed = `echo; echo "committed: $(git init -q && git add . && git ls-files | cut -d/ -f1 | uniq | xargs)"`;
            const again = [
                "pulumi package add ./node_modules/pulumi-clouddb",
                "pulumi install",
                "pulumi up --expect-no-changes",
            ];

            const printed = await runShell(
                [typed, stateOfEmulator, committed, ...again, "pulumi destroy", stateOfEmulator].join("\n"),
                folder,
                { ...user, ...newUser(programs), ...goCaches() },
            );

            expect(printed).toMatch(
                /^committed: \.gitignore Pulumi\.dev\.yaml Pulumi\.yaml (?!.*\b(sdks|\.pulumi|node_modules|venv|target)\b)/m,
            );
            expect(printed).toMatch(/"status":"READY"[^]*connectionString[^]*"services":\[\]/);
        },
    );
});
