/** One fact that a process of a run tells the others: values of JSON, without secrets. */
export type Fact = Readonly<Record<string, unknown>>;

/**
 * The facts that the processes of one run share: the program, and the provider processes, of which each explicit provider
 * has its own. Each process publishes what it learns, and sees what the others have published.
 */
export interface RunFacts {
    publish(fact: Fact): void;
    /** The facts of the other processes since the last call, in order. */
    received(): readonly Fact[];
    /** Why facts may be missing; undefined if all could be shared. */
    readonly problem?: Error | undefined;
}

/** The facts of a run with a single process. */
export const noFacts: RunFacts = { publish: () => undefined, received: () => [] };

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
