import importX from "eslint-plugin-import-x";
import { createTypeScriptImportResolver } from "eslint-import-resolver-typescript";
import tseslint from "typescript-eslint";

/** What each folder of the provider above them may use. */
const core = ["provider/base", "provider/api", "provider/model", "provider/observe", "provider/reconcile"];

/** Imports run one way; a folder may use what is listed and nothing else of this repository. */
const mayImport = {
    "provider/base": [],
    "provider/api": ["provider/base/installation.ts", "provider/base/message.ts"],
    "provider/model": ["provider/base", "provider/api"],
    "provider/observe": ["provider/base", "provider/api", "provider/model"],
    "provider/reconcile": ["provider/base", "provider/api", "provider/model", "provider/observe"],
    "provider/lifecycle": [...core],
    "provider/resources": ["provider/base", "provider/api", "provider/model"],
    "provider/functions": [...core, "provider/lifecycle", "provider/resources"],
    "provider/hosts": [...core, "provider/lifecycle", "provider/resources", "provider/functions"],
    "sdk/nodejs": [
        "provider/hosts",
        "provider/functions",
        "provider/resources",
        "provider/lifecycle",
        "provider/model",
        "provider/base",
        "provider/api",
    ],
    plugin: [
        "sdk/nodejs",
        "cli",
        "emulator",
        "provider/hosts",
        "provider/lifecycle",
        "provider/resources",
        "provider/model",
        "provider/base",
        "provider/api",
    ],
    cli: [...core, "provider/resources", "provider/lifecycle"],
    "emulator/page/browser": ["emulator/page/messages.ts"],
    emulator: [
        "cli/streams.ts",
        "provider/api/contract.ts",
        "provider/api/openapi.gen.json",
        "provider/api/operations.gen.ts",
        "provider/base/message.ts",
        "provider/base/installation.ts",
    ],
};

const zones = Object.entries(mayImport).map(([target, allowed]) => ({
    target: `./${target}`,
    from: ".",
    except: [target, "node_modules", ...allowed].map((path) => `./${path}`),
    message: `${target} may import ${allowed.join(", ") || "nothing else of this repository"}.`,
}));

const restricted = [
    { selector: "PrivateIdentifier", message: "Use `private` instead of `#`." },
    {
        selector: "SpreadElement > ObjectExpression",
        message: "Write the properties where the literal is spread.",
    },
];

/** Time and randomness come from these files, so that tests can control them. */
const sources = [
    "provider/api/clock.ts",
    "emulator/{clock,secureRandom}.ts",
    "emulator/page/browser/store.ts",
    // Runs in a separate process and cannot import anything.
    "emulator/postgres/endServers.ts",
];
const fromSources = "Use the clock or the random source of the program, see docs/architecture.md.";

export default tseslint.config(
    { ignores: ["dist", "coverage", "**/node_modules", "**/.work", ".quickstart", "**/*.gen.ts"] },
    tseslint.configs.base,
    {
        rules: {
            curly: ["error", "all"],
            "object-shorthand": ["error", "properties"],
            "no-restricted-syntax": ["error", ...restricted],
            "@typescript-eslint/naming-convention": [
                "error",
                // Classes and schemas are PascalCase. Plain PascalCase would also accept ALLCAPS.
                { selector: "variable", format: ["camelCase", "StrictPascalCase"] },
                // Property names of the API and of the environment.
                { selector: "variable", modifiers: ["destructured"], format: null },
            ],
        },
    },
    {
        files: ["**/*.ts", "**/*.tsx"],
        extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
        languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
        plugins: { "import-x": importX },
        settings: { "import-x/resolver-next": [createTypeScriptImportResolver()] },
        rules: {
            "import-x/no-default-export": "error",
            "import-x/no-cycle": "error",
            "import-x/no-restricted-paths": ["error", { basePath: import.meta.dirname, zones }],
            "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
            "@typescript-eslint/consistent-type-imports": "error",
            "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
            // The messages of the compiler name an interface, and not the expression that it extends.
            "@typescript-eslint/no-empty-object-type": ["error", { allowInterfaces: "with-single-extends" }],
        },
    },
    {
        // The constructor of the base class sets the outputs, which an interface with the name of the class declares.
        files: ["sdk/nodejs/*.ts"],
        rules: { "@typescript-eslint/no-unsafe-declaration-merging": "off" },
    },
    {
        files: ["{provider,sdk,plugin,cli,emulator}/**/*.{ts,tsx}"],
        ignores: sources,
        rules: {
            "no-restricted-properties": [
                "error",
                { object: "Date", property: "now", message: fromSources },
                { object: "Math", property: "random", message: fromSources },
                { object: "performance", property: "now", message: fromSources },
            ],
            "no-restricted-syntax": [
                "error",
                ...restricted,
                { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: fromSources },
            ],
            "no-restricted-imports": [
                "error",
                {
                    paths: ["crypto", "node:crypto"].map((name) => ({
                        name,
                        importNames: ["randomBytes", "randomFill", "randomInt", "randomUUID", "getRandomValues"],
                        message: fromSources,
                    })),
                },
            ],
        },
    },
);
