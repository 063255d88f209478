import type { Fact, RunFacts } from "../../provider/ownership/runFacts";

/** Facts in memory. Each call of the result connects another process of the same run. */
export function factsInMemory(): () => RunFacts {
    const published: { readonly by: RunFacts; readonly fact: Fact }[] = [];
    return () => {
        let seen = 0;
        const facts: RunFacts = {
            publish: (fact) => {
                published.push({ by: facts, fact: JSON.parse(JSON.stringify(fact)) as Fact });
            },
            received: () => {
                const added = published.slice(seen);
                seen = published.length;
                return added.filter(({ by }) => by !== facts).map(({ fact }) => fact);
            },
        };
        return facts;
    };
}
