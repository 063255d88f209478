import { startFastEmulator } from "../support/engine";
import { outputsOfExamples, pathWith, Project, type Language } from "./language";

const languages: readonly Language[] = ["yaml", "python", "go"];

describe.each(languages)("a program in %s", (language) => {
    const path = pathWith(language);
    const test = path === undefined ? it.skip : it;

    test(`a program in ${language} creates a network, a database and read replicas, and then shows no change`, async () => {
        const emulator = await startFastEmulator();
        const project = await Project.create(`examples/${language}`, language, path ?? "", emulator);

        await project.up();
        expect(await project.outputs()).toEqual(outputsOfExamples);
        await project.pulumi("preview", "--expect-no-changes");
        await project.up({ expectNoChanges: true });
    });

    test(`a program in ${language} uses two explicit providers, each with its project and its token, and the error for a wrong token names its provider`, async () => {
        const first = await startFastEmulator({ projectId: "first00001", token: "first-token" });
        const second = await startFastEmulator({ projectId: "second0001", token: "second-token" });
        const project = await Project.create(`tests/languages/providers/${language}`, language, path ?? "", first);
        const settings = Object.entries({ first, second }).flatMap(([name, { url, projectId }]) => [
            "--plaintext",
            `${name}Url=${url}`,
            "--plaintext",
            `${name}Project=${projectId}`,
        ]);
        const tokens = ["--secret", `firstToken=${first.token}`, "--secret", "secondToken=wrong-token"];
        await project.pulumi("config", "set-all", ...settings, ...tokens);
        await expect(project.up()).rejects.toThrow(
            /The API rejected the token in accessToken of provider "second" \(401 .*\)\.\s+New token: pass a valid one in the program/,
        );
        await project.pulumi("config", "set", "--secret", "secondToken", second.token);

        await project.up();
        expect(await project.outputs()).toEqual({
            projects: ["first00001", "second0001"],
            sizes: ["shared", 500],
        });
        expect(await project.pulumi("stack", "export")).not.toMatch(/first-token|second-token/);
    });
});
