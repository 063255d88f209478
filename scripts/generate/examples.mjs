/** The examples in the schema. From the marks around them, Pulumi's generators take the code of their own language. */
import { existsSync, readFileSync } from "node:fs";
import { ScriptError } from "../lib/repository.mjs";
import { pascalCase, snakeCase } from "./words.mjs";

/** A text with the example of `sdk/examples`. */
export function withExample(text, name) {
    const file = new URL(`../../sdk/examples/${name}.md`, import.meta.url);
    if (!existsSync(file)) {
        throw new ScriptError(
            `${name} has no example: write sdk/examples/${name}.md, with a program in each language, as the other files there.`,
        );
    }
    return withCode(text, readFileSync(file, "utf8").replaceAll("\r\n", "\n"));
}

/** A text with the example of a function that reads resources of a kind. */
export function withExampleOf(text, { name, title, list, shown = list, args }) {
    const subject = name.replace("get", "");
    const ids = args.map((one, index) => [one.name, sampleId(one.of, index)]);
    const given = (nameIn, joint, quoted = (id) => `"${id}"`) =>
        ids.map(([argument, id]) => `${nameIn(argument)}${joint}${quoted(id)}`);
    const inTypeScript = ids.length === 0 ? "" : `{ ${given(String, ": ").join(", ")} }`;
    const inGo = given(pascalCase, ": ", (id) => `pulumi.String("${id}")`).join(", ");
    // Go has the name of the other form for the function that reads a resource of its state.
    const call = `${list ? "Get" : "Lookup"}${subject}Output`;
    const inYaml = given(String, ": ", (id) => (/^\d+$/.test(id) ? `"${id}"` : id)).map((line) => `\n        ${line}`);
    return withCode(
        text,
        `### ${title}

\`\`\`typescript
import * as clouddb from "pulumi-clouddb/native";

export const ${shown} = clouddb.${name}Output(${inTypeScript})${list ? "" : `.${shown}`};
\`\`\`

\`\`\`python
import pulumi
import pulumi_clouddb as clouddb

pulumi.export("${shown}", clouddb.${snakeCase(name)}_output(${given(snakeCase, "=").join(", ")}).${snakeCase(shown)})
\`\`\`

\`\`\`go
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"pulumi-clouddb.invalid/sdk/go/clouddb"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		found := clouddb.${call}(ctx, clouddb.${call}Args{${inGo}})
		ctx.Export("${shown}", found.${pascalCase(shown)}())
		return nil
	})
}
\`\`\`

\`\`\`yaml
variables:
  found:
    fn::invoke:
      function: clouddb:${name}${inYaml.length === 0 ? "" : `\n      arguments:${inYaml.join("")}`}
outputs:
  ${shown}: \${found.${shown}}
\`\`\`
`,
    );
}

/** Ids in the forms that exist, for a resource and for one within it. */
const samples = [
    ["wn3nlzt505", "q7d2mzk81x"],
    ["707236", "392091"],
];

const sampleId = ({ fields }, index) =>
    samples.map((ids) => ids[index]).find((id) => fields.existingId.test(id) === undefined);

const withCode = (text, code) =>
    `${text}\n\n{{% examples %}}\n## Example Usage\n{{% example %}}\n${code}{{% /example %}}\n{{% /examples %}}`;
