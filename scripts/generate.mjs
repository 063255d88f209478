// `npm run generate [-- --check]`: generates files from the contract and the version. --check only reports stale files.
import { bootstrap } from "./bootstrap.mjs";
import { classModules } from "./generate/classes.mjs";
import { contractModules } from "./generate/contract.mjs";
import { functionModules } from "./generate/functions.mjs";
import { kindFunctionsModule } from "./generate/kindFunctions.mjs";
import { schemaOf } from "./generate/schema.mjs";
import { generateSdks } from "./generate/sdks.mjs";
import { readKinds, readSources } from "./generate/sources.mjs";
import { neutralText } from "./generate/words.mjs";
import { readJson } from "./lib/files.mjs";
import { writeGenerated } from "./lib/generated.mjs";
import { ScriptError } from "./lib/repository.mjs";

export async function run(args) {
    try {
        return await generate(args);
    } catch (error) {
        if (!(error instanceof ScriptError)) {
            // An error of the compiler says more about the sources than one that it leads to.
            await bootstrap();
        }
        throw error;
    }
}

async function generate(args) {
    const write = (files) => writeGenerated(files, args, "npm run generate");
    return (
        (await write({ ...(await contractModules()), ...versionModule() })) ||
        (await write(kindModules(await readKinds()))) ||
        // The schema has the comments of these classes and functions.
        (await write(schemaModules(await readSources()))) ||
        // With all these files, each error of the compiler is one in the sources.
        (await bootstrap()) ||
        generateSdks(args)
    );
}

const versionModule = () => ({
    "provider/api/version.gen.ts": `// Generated from package.json by \`npm run generate\`.

export const version = ${JSON.stringify(readJson("package.json").version)};
`,
});

const kindModules = (sources) => ({
    ...classModules(sources),
    "provider/functions/resources.gen.ts": kindFunctionsModule(sources),
});

function schemaModules(sources) {
    const schema = schemaOf(sources, readJson("package.json"), process.env.CLOUDDB_PLUGIN_DOWNLOAD_URL);
    return {
        "provider/hosts/native/schema.gen.json": `${neutralText(JSON.stringify(schema, null, 1))}\n`,
        "sdk/nodejs/native/enums.gen.ts": enumerations(schema),
        ...functionModules(sources),
    };
}

/** The enumerations of the schema under the names that `pulumi import` writes in TypeScript. */
function enumerations({ types }) {
    const declarations = Object.entries(types).map(([token, { enum: values }]) => {
        const name = token.split(":")[2];
        const members = values?.map((one) => `${one.name}: ${JSON.stringify(one.value)}`).join(", ");
        return members === undefined
            ? ""
            : `
export const ${name} = { ${members} } as const;
export type ${name} = (typeof ${name})[keyof typeof ${name}];
`;
    });
    return `// Generated from the schema by \`npm run generate\`.\n${declarations.join("")}`;
}
