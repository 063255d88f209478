import { Random } from "../../../emulator/world/random";
import { tokenOf } from "../model/engine/registration";
import type { Declared, HostName } from "../model/engine/registration";
import { protectionOf } from "../model/program";
import type { Defaults } from "../model/provider";

/** A component of a program. */
export interface Component {
    readonly name: string;
    /** The name that it had before. */
    readonly oldName: string | undefined;
}

/** A resource of a program. */
export interface Resource extends Declared {
    readonly name: string;
    /** Its parent. */
    readonly component: string | undefined;
    /** The resource of the state that it adopts with `existingId`. */
    readonly adopts: string | undefined;
}

/** A command that changes only the state. */
export type Command =
    | { readonly does: "taint" | "forget"; readonly urn: string }
    | { readonly does: "rename"; readonly urn: string; readonly to: string }
    | { readonly does: "renameStack"; readonly to: string }
    /** `pulumi state unprotect --all`. */
    | { readonly does: "unprotect" };

/** A run of the engine, and the commands before it. */
export interface Step {
    readonly commands: readonly Command[];
    readonly run: "up" | "refresh" | "destroy";
    readonly stack: string;
    readonly components: readonly Component[];
    readonly resources: readonly Resource[];
    readonly replace: readonly string[];
    readonly exclude: readonly string[];
    readonly continueOnError: boolean;
    readonly defaults: Defaults;
    /** Whether the program uses the classes in TypeScript, and not only their properties, as in other languages. */
    readonly hasClasses: boolean;
    /** The API rejects this operation during the run. */
    readonly rejects: string | undefined;
}

export const projectName = "tests";
export const componentType = "shop:index:Group";

/** How a resource is declared now. */
interface Part {
    readonly key: "network" | "orders" | "reports" | "archive";
    name: string;
    oldNames: string[];
    component: boolean;
    wasInComponent: boolean;
    provider: string | undefined;
    region: string;
    cpuMillis: number;
    apiName: string | undefined;
    deletionProtection: boolean | undefined;
    attached: boolean;
    deleteBeforeReplace: boolean | undefined;
    password: boolean;
    adopts: Part["key"] | undefined;
}

/** A network in use cannot be deleted, and the provider waits. */
const timeouts = { delete: "5s" };
const names = ["blue", "green", "white"] as const;
const explicitProviders = ["first", "second"] as const;

/** Generates a history. Each seed gives a different one. */
export function historyOf(seed: number, host: HostName): Step[] {
    const random = new Random(seed);
    return new Author(random, host).write(2 + random.integer(0, 3));
}

/** Writes the programs of a history, each as a change of the previous one. */
class Author {
    private stack = "test";
    private group = "shop";
    private oldGroup: string | undefined;
    private readonly parts: Part[] = [];
    private defaults: Defaults = { environment: false };
    private readonly usesProviders: boolean;
    private readonly hasClasses: boolean;

    constructor(
        private readonly random: Random,
        private readonly host: HostName,
    ) {
        this.usesProviders = host === "native" && this.isOne(3);
        this.hasClasses = host === "dynamic" || !this.isOne(3);
    }

    write(length: number): Step[] {
        this.add("orders");
        if (this.isOne(2)) {
            this.add("network");
        }
        if (this.isOne(2)) {
            this.add("reports");
        }
        return [this.step([], "up"), ...Array.from({ length: length - 1 }, () => this.next())];
    }

    private next(): Step {
        const commands: Command[] = [];
        const changes = 1 + this.random.integer(0, 2);
        for (let change = 0; change < changes; change++) {
            commands.push(...this.change());
        }
        const run = this.pick(["up", "up", "up", "up", "up", "up", "up", "refresh", "destroy"] as const);
        return this.step(commands, run);
    }

    /** Changes the program, or returns commands that change the state. */
    private change(): Command[] {
        const part = this.pick(this.parts);
        const urn = part && this.urnOf(part);
        if (part === undefined || urn === undefined) {
            this.add(this.pick(["network", "orders", "reports", "archive"]));
            return [];
        }
        const kinds = [
            ...[
                "edit",
                "edit",
                "add",
                "remove",
                "renameByAlias",
                "renameByAlias",
                "rename",
                "stateRename",
                "taint",
                "taint",
            ],
            ...[
                "move",
                "moveByAlias",
                "adopt",
                "adopt",
                "renameGroup",
                "renameStack",
                "option",
                "replaceField",
                "replaceField",
                "forget",
                "unprotect",
                "defaults",
                "protection",
                "protection",
            ],
            ...(this.usesProviders ? ["provider", "provider"] : []),
        ];
        switch (this.pick(kinds)) {
            case "edit":
                part.cpuMillis = this.pick([500, 1000, 2000]);
                part.apiName = this.pick([undefined, `${part.key}-1`, `${part.key}-2`]);
                part.attached = this.isOne(2);
                break;
            case "add":
                this.add(this.pick(["network", "orders", "reports", "archive"]));
                break;
            case "remove":
                this.parts.splice(this.parts.indexOf(part), 1);
                break;
            case "renameByAlias":
                this.rename(part, true);
                break;
            case "rename":
                this.rename(part, false);
                break;
            case "stateRename": {
                const old = part.name;
                this.rename(part, false);
                return part.name === old ? [] : [{ does: "rename", urn, to: part.name }];
            }
            case "adopt":
                this.adopt(part);
                break;
            case "taint":
                return [{ does: "taint", urn }];
            case "forget":
                return [{ does: "forget", urn }];
            case "move":
            case "moveByAlias":
                part.component = !part.component;
                part.wasInComponent = !part.component;
                if (this.isOne(3)) {
                    part.wasInComponent = part.component;
                }
                break;
            case "renameGroup":
                this.oldGroup = this.group;
                this.group = this.group === "shop" ? "store" : "shop";
                break;
            case "renameStack":
                this.stack = this.stack === "test" ? "other" : "test";
                return [{ does: "renameStack", to: this.stack }];
            case "option":
                part.deleteBeforeReplace = this.pick([undefined, true, false]);
                break;
            case "protection":
                part.deletionProtection = this.pick([undefined, true, false]);
                break;
            case "defaults":
                this.defaults = this.someDefaults();
                break;
            case "unprotect":
                return [{ does: "unprotect" }];
            case "replaceField":
                part.region = part.region === "us-east-1" ? "eu-west-1" : "us-east-1";
                break;
            case "provider":
                part.provider = this.pick([undefined, ...explicitProviders]);
                break;
        }
        return [];
    }

    private add(key: Part["key"]): void {
        if (this.parts.some((one) => one.key === key)) {
            return;
        }
        const name = this.freeName(key);
        if (name === undefined) {
            return;
        }
        this.parts.push({
            key,
            name,
            oldNames: [],
            component: this.isOne(3),
            wasInComponent: false,
            provider: this.usesProviders && this.isOne(2) ? this.pick(explicitProviders) : undefined,
            region: "us-east-1",
            cpuMillis: 500,
            apiName: this.pick([undefined, `${key}-1`]),
            deletionProtection: this.pick([undefined, undefined, true, false]),
            attached: this.isOne(2),
            deleteBeforeReplace: this.isOne(4) ? true : undefined,
            password: this.isOne(3),
            adopts: undefined,
        });
    }

    /** Another service adopts the service of this resource, which the program then no longer declares. */
    private adopt(part: Part): void {
        const services = ["orders", "reports", "archive"] as const;
        const key = services.find((one) => !this.parts.some((other) => other.key === one));
        const name = this.freeName(part.key);
        if (key !== undefined && name !== undefined && part.key !== "network") {
            this.parts.splice(this.parts.indexOf(part), 1, { ...part, key, name, oldNames: [], adopts: part.key });
        }
    }

    private rename(part: Part, hasAlias: boolean): void {
        const name = this.freeName(part.key);
        if (name !== undefined) {
            part.oldNames = hasAlias ? [part.name, ...part.oldNames] : [];
            part.name = name;
        }
    }

    /** A name that no resource of the same type has now. Another one may have had it before. */
    private freeName(key: Part["key"]): string | undefined {
        const isNetwork = key === "network";
        const used = this.parts.filter((one) => (one.key === "network") === isNetwork).map(({ name }) => name);
        return this.pick(names.filter((name) => !used.includes(name)));
    }

    private step(commands: readonly Command[], run: Step["run"]): Step {
        const resources = this.resources();
        for (const part of this.parts) {
            part.adopts = undefined;
        }
        const some = (oneIn: number, from: readonly Resource[]): readonly string[] => {
            const urn = this.isOne(oneIn) ? this.pick(from)?.urn : undefined;
            return urn === undefined ? [] : [urn];
        };
        const continueOnError = this.isOne(4);
        const rejectable = ["createService", "createVpc", "resizeService", "renameService", "attachToVPC", "deleteVpc"];
        return {
            commands,
            run,
            stack: this.stack,
            components: [{ name: this.group, oldName: this.oldGroup }],
            resources,
            replace: some(5, resources),
            // Pulumi stores an invalid state if it excludes a child of a component that has a new name.
            exclude: some(
                6,
                resources.filter(({ component }) => component === undefined),
            ),
            continueOnError,
            defaults: this.defaults,
            hasClasses: this.hasClasses,
            rejects: this.isOne(continueOnError ? 2 : 6)
                ? this.pick([...rejectable, ...(continueOnError ? ["deleteService"] : [])])
                : undefined,
        };
    }

    private resources(): Resource[] {
        const hasNetwork = this.parts.some(({ key }) => key === "network");
        const order = ["network", "orders", "reports", "archive"];
        const parts = [...this.parts].sort((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
        return parts.map((part) => {
            const { key, name, provider, deleteBeforeReplace, adopts } = part;
            const type = key === "network" ? "Vpc" : "Service";
            const declared = {
                key,
                type,
                name: this.fullName(part, name, this.group),
                component: part.component ? this.group : undefined,
                urn: this.urnOf(part),
                inputs: inputsOf(part),
                needs: hasNetwork && part.attached && key !== "network" ? { vpcId: "network" } : {},
                aliases: this.aliasesOf(part),
                timeouts,
                provider,
                adopts,
                ...(deleteBeforeReplace === undefined ? {} : { deleteBeforeReplace }),
            } as const;
            return this.hasClasses ? { ...declared, knownProtection: protectionOf(declared, this.defaults) } : declared;
        });
    }

    private someDefaults(): Defaults {
        const some = () => this.pick([undefined, true, false, false]);
        return { config: some(), environment: some(), provider: some() };
    }

    private aliasesOf(part: Part): string[] {
        const { oldNames, name, component, wasInComponent } = part;
        const groups = this.oldGroup === undefined ? [this.group] : [this.group, this.oldGroup];
        const own = groups.flatMap((group) =>
            [name, ...oldNames].flatMap((one) =>
                [component, ...(wasInComponent === component ? [] : [wasInComponent])].map((isChild) =>
                    this.urn(part, this.fullName({ component: isChild }, one, group), isChild),
                ),
            ),
        );
        return [...new Set([...own, ...this.inheritedAliases(part, own)])].filter((urn) => urn !== this.urnOf(part));
    }

    /** Pulumi adds each alias of a child as a child of the component with its old name. */
    private inheritedAliases(part: Part, own: readonly string[]): string[] {
        const { group, oldGroup } = this;
        return part.component && oldGroup !== undefined
            ? own.map((urn) => {
                  const name = urn.replace(/^.*::/, "");
                  return this.urn(part, name.startsWith(group) ? oldGroup + name.slice(group.length) : name, true);
              })
            : [];
    }

    /** Children have the name of their component as a prefix. */
    private fullName({ component }: Pick<Part, "component">, name: string, group: string): string {
        return component ? `${group}-${name}` : name;
    }

    private urnOf(part: Part): string {
        return this.urn(part, this.fullName(part, part.name, this.group), part.component);
    }

    private urn({ key }: Part, name: string, isChild: boolean): string {
        const token = tokenOf(this.host, key === "network" ? "Vpc" : "Service");
        const types = isChild ? `${componentType}$${token}` : token;
        return `urn:pulumi:${this.stack}::${projectName}::${types}::${name}`;
    }

    private isOne(inAll: number): boolean {
        return this.random.integer(0, inAll) === 0;
    }

    private pick<T>(items: readonly [T, ...T[]]): T;
    private pick<T>(items: readonly T[]): T | undefined;
    private pick<T>(items: readonly T[]): T | undefined {
        return items[this.random.integer(0, items.length)];
    }
}

function inputsOf({ key, region, cpuMillis, apiName, deletionProtection, password }: Part): Record<string, unknown> {
    const name = apiName === undefined ? {} : { name: apiName };
    return key === "network"
        ? { ...name, cidr: region === "us-east-1" ? "10.0.0.0/16" : "10.1.0.0/16", regionCode: region }
        : {
              ...name,
              regionCode: region,
              cpuMillis,
              memoryGbs: cpuMillis / 250,
              ...(deletionProtection === undefined ? {} : { deletionProtection }),
              ...(password ? { password: "a-password-of-the-tests" } : {}),
          };
}
