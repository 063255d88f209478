import { sleepOn } from "../clock";
import { unauthenticated } from "../errors";
import type { Settings } from "../options";
import { lowerCased, type CarryOut } from "../pipeline";
import type { EmulatorResponse, Exchange } from "../exchange";
import { Random } from "../world/random";
import { isRead } from "../wire";
import type { World } from "../world/world";
import { refusal } from "./answers";
import { enact } from "./effects";
import { RateLimit } from "./rateLimit";
import { Selection } from "./selection";

const tooMany = 429;
const tokenExpired = () => unauthenticated("The access token has expired.");

type FaultsOptions = Pick<Settings, "clock" | "seed" | "faults" | "rate"> & { world: World };

/** Injects faults into operations. */
export class Faults {
    selection: Selection;
    private random: Random;
    private rate: RateLimit | undefined;
    /** Reads are served from this world until the given time. */
    private past: { world: World; until: number } | undefined;
    /** The `Authorization` headers with an expired token. */
    private readonly expired = new Set<string | undefined>();

    constructor(private readonly options: FaultsOptions) {
        this.random = new Random(options.seed);
        this.selection = new Selection(this.random);
        this.reset();
    }

    /** Removes all faults, and expired tokens become valid. Changes to resources stay, and hidden entries stay hidden. */
    clear(): void {
        this.selection.clear();
        this.past = undefined;
        this.expired.clear();
    }

    setRate(perSecond: number | undefined): void {
        this.rate = perSecond === undefined ? undefined : new RateLimit(perSecond, this.options.world.now);
    }

    /** Restores the initial faults and the random sequence. */
    reset(): void {
        this.clear();
        this.random = new Random(this.options.seed);
        this.selection = new Selection(this.random);
        this.selection.add(this.options.faults);
        this.setRate(this.options.rate);
    }

    async intercept(exchange: Exchange, carryOut: CarryOut): Promise<EmulatorResponse> {
        const { world, clock } = this.options;
        const waitMs = this.rate?.take(world.now);
        if (waitMs !== undefined) {
            return refusal({ status: tooMany, retryAfterMs: waitMs }, world.now);
        }
        const { noteFault, operationId, request } = exchange;
        const { authorization } = lowerCased(request.headers);
        if (this.expired.has(authorization)) {
            throw tokenExpired();
        }
        const method = request.method.toUpperCase();
        const effects = this.selection.effectsOn(operationId, method, request.path, noteFault);
        const hit = {
            exchange,
            world,
            random: this.random,
            sleep: (ms: number) => sleepOn(clock, ms),
            expireToken: () => {
                this.expired.add(authorization);
                throw tokenExpired();
            },
            freezeReads: (ms: number) => this.freeze(ms),
        };
        const withFaults = effects.reduceRight<CarryOut>(
            (inner, effect) => () => enact({ ...hit, carryOut: inner }, effect),
            () => carryOut(isRead(method) ? this.pastWorld() : undefined),
        );
        return withFaults();
    }

    private pastWorld(): World | undefined {
        return this.past && this.past.until > this.options.world.now ? this.past.world : undefined;
    }

    private freeze(ms: number): void {
        const { world } = this.options;
        world.catchUp();
        this.past = { world: world.copy(), until: world.now + ms };
    }
}
