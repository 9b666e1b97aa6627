/**
 * Authorization and payments on real servers: gateways (one or several replicas), Redis, NATS, billing over PostgreSQL, and an owner behind them
 * whose answers the test decides. With `pay`, all three rails before stand-ins that move no money.
 */
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import type { z } from "zod";
import { type Bus, connectBus } from "#libs/bus/connect.ts";
import { relay } from "#libs/bus/events/relay.ts";
import { ensureStream } from "#libs/bus/events/topology.ts";
import { type Serving, serve } from "#libs/bus/requests/serve.ts";
import { subjectOf } from "#libs/contract/events/event.ts";
import { usageRecorded } from "#libs/contract/events/gateway.ts";
import type { Handlers } from "#libs/contract/index.ts";
import type { RailName } from "#libs/contract/vocabulary.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { schema } from "../../../services/billing/migrate.ts";
import { operations } from "../../../services/billing/operations/index.ts";
import { startReactions } from "../../../services/billing/reactions/record-usage.ts";
import { type Access, openAccess } from "../../../services/gateway/access.ts";
import { buildApp, closeOnStop } from "../../../services/gateway/app.ts";
import { configSchema } from "../../../services/gateway/config.ts";
import { createDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { type Facilitator, startFacilitator } from "../../support/payments/facilitator.ts";
import { type FakeStripe, startStripe } from "../../support/payments/stripe.ts";
import { startTempo, type TempoStandIn } from "../../support/payments/tempo.ts";
import { createToken, type Token } from "../../support/payments/token.ts";
import { startNats, startRedis, type TestNats, type TestRedis } from "../../support/servers.ts";
import { withDefaults } from "../../support/with-defaults.ts";

type UsageEvent = z.output<typeof usageRecorded.payload>;

export const payTo = "0x1111111111111111111111111111111111111111";
export const challengeSecret = "a secret that signs challenges, long enough";

export interface StandIns {
	token: Token;
	facilitator: Facilitator;
	tempo: TempoStandIn;
	stripe: FakeStripe;
}

export interface TestGateways extends AsyncDisposable {
	/** The first replica. */
	url: string;
	urls: string[];
	access: Access[];
	/** Log lines of every gateway and service, as JSON text. */
	logged: string[];
	nats: Pick<TestNats, "url" | "login">;
	redis: TestRedis;
	sql: Sql;
	/** The clock of the gateways and of billing. */
	clock: { now: Date };
	/** Environment of a gateway that is like all, by its name. */
	settings: Record<string, string>;
	payments: StandIns;
	/** Usage records that the gateways published, also those that the ledger has only in sums. */
	readonly published: UsageEvent["requests"];
	/** Ends billing, as a kill does: nothing is drained. `startBilling` brings it back. */
	stopBilling(): Promise<void>;
	startBilling(): Promise<void>;
	/** A new key by HTTP. */
	register(email?: string): Promise<string>;
	/** Resolves when everything answered is in the ledger. */
	recorded(): Promise<void>;
}

export interface Distinct {
	/** Beside those of all. */
	settings?: Record<string, string>;
	/** Instead of those of all. */
	pay?: readonly RailName[];
}

export interface AuthorizerOptions {
	/** The owner's handlers; everything else is 404. */
	owner?: Partial<Handlers<"queue-ingest">>;
	/** The same of scoring, which has what costs more. */
	scoring?: Partial<Handlers<"scoring">>;
	/** The same of the query service. */
	query?: Partial<Handlers<"query">>;
	/** The same of subscriptions. */
	subscriptions?: Partial<Handlers<"subscriptions">>;
	/** Environment of the gateways. `pay` sets that of the payment methods. */
	settings?: Record<string, string>;
	replicas?: number;
	/** Rails to enable (none). */
	pay?: readonly RailName[];
	/** Instead of the clock by which cached keys are renewed (ms). */
	ticks?: () => number;
	/** Gateways that differ, instead of replicas. */
	each?: readonly Distinct[];
	/** Instead of a server of its own, which outlives the gateways. */
	nats?: Pick<TestNats, "url" | "login">;
	/** Instead of a database of its own: a migrated one, as billing's role. */
	databaseUrl?: string;
}

export async function startGateways(options: AuthorizerOptions = {}): Promise<TestGateways> {
	const { owner = {}, settings = {}, replicas = 1, pay: rails = [], ticks = () => performance.now() } = options;
	await using stack = new AsyncDisposableStack();
	const clock = { now: new Date() };
	const logged: string[] = [];
	const log = pino({ level: "debug" }, { write: (line: string) => void logged.push(line) });
	const nats = options.nats ?? stack.use(await startNats());
	const redis = stack.use(await startRedis());
	const databaseUrl = options.databaseUrl ?? stack.use(await createDatabase("billing")).url;
	const sql = stack.use(connect(databaseUrl, { schema, name: "test", max: 20 }));
	const busOf = async (name: string) => stack.use(await connectBus({ url: nats.url, name, log, ...nats.login(name) }));
	const payments = await startStandIns(stack, clock);

	stack.use(await serve(await busOf("queue-ingest"), "queue-ingest", withDefaults("queue-ingest", owner)));
	stack.use(await serve(await busOf("scoring"), "scoring", withDefaults("scoring", options.scoring ?? {})));
	stack.use(await serve(await busOf("query"), "query", withDefaults("query", options.query ?? {})));
	const subscriptions = withDefaults("subscriptions", options.subscriptions ?? {});
	stack.use(await serve(await busOf("subscriptions"), "subscriptions", subscriptions));
	const published: UsageEvent["requests"] = [];
	const tap = await busOf("operator");
	tap.nats.subscribe(subjectOf(usageRecorded), {
		callback: (_, message) => void published.push(...message.json<UsageEvent>().requests),
	});
	await tap.nats.flush();
	const billing = new Billing(await busOf("billing"), sql, clock);
	stack.defer(() => billing.stop());
	await ensureStream(billing.bus, "billing");
	await billing.start();

	const settingsWith = (pay: readonly RailName[]) => ({
		NATS_URL: nats.url,
		REDIS_URL: redis.url,
		CHALLENGES_PER_MINUTE: "1000000",
		...(pay.length > 0 && { KEYLESS: "pay" }),
		...railSettings(payments, pay),
		...settings,
	});
	const access: Access[] = [];
	const urls: string[] = [];
	for (const own of options.each ?? Array<Distinct>(replicas).fill({})) {
		const { pay = rails } = own;
		const config = configSchema.parse({ ...settingsWith(pay), ...own.settings });
		const bus = await busOf("gateway");
		await ensureStream(bus, "gateway");
		const opened = stack.use(await openAccess({ bus, config, log, now: () => clock.now, ticks }));
		const app = buildApp({ bus, access: opened, config, log });
		// As in production: an answer that the test does not read to its end must not keep the gateway open.
		stack.use(closeOnStop(app, 2_000, log));
		await app.listen({ host: "127.0.0.1", port: 0 });
		await bus.nats.flush();
		if (pay.includes("x402"))
			await eventually(async () => (await opened.payments.rails[0]?.offer(anyCharge)) !== undefined);
		access.push(opened);
		urls.push(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
	}
	const [url = ""] = urls;
	payments.stripe.checkouts.webhookUrl = `${url}/webhooks/stripe`;
	const owned = stack.move();
	let registered = 0;
	return {
		url,
		urls,
		access,
		logged,
		nats,
		redis,
		sql,
		clock,
		settings: settingsWith(rails),
		payments,
		published,
		stopBilling: () => billing.stop(),
		startBilling: () => billing.start(),
		async register(email = `registered-${++registered}@example.org`) {
			const response = await fetch(`${url}/register`, {
				method: "POST",
				headers: { "content-type": "application/json" },
				body: JSON.stringify({ email }),
			});
			if (!response.ok) throw new Error(await response.text());
			return ((await response.json()) as { key: string }).key;
		},
		async recorded() {
			await eventually(async () => access.every(({ usage }) => usage.waiting === 0) && (await billing.backlog()) === 0);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

const anyCharge = {
	operation: "listProjects",
	method: "GET",
	route: "/projects",
	url: "http://localhost/projects",
	amountMicroUsd: 10_000,
	description: "",
} as const;

/** Billing as its main program starts it, on a connection that outlives it. */
class Billing {
	readonly bus: Bus;
	readonly #sql: Sql;
	readonly #clock: { now: Date };
	#parts: AsyncDisposableStack | undefined;
	#reactions: { backlog(): Promise<number> }[] = [];

	constructor(bus: Bus, sql: Sql, clock: { now: Date }) {
		this.bus = bus;
		this.#sql = sql;
		this.#clock = clock;
	}

	async start(): Promise<void> {
		const parts = new AsyncDisposableStack();
		parts.use(relay(this.bus, this.#sql, schema));
		const handlers = operations({ sql: this.#sql, now: () => this.#clock.now });
		parts.use<Serving>(await serve(this.bus, "billing", handlers, { drainMs: 0 }));
		const reactions = await startReactions(this.bus, this.#sql);
		for (const reacting of reactions) parts.use(reacting);
		this.#reactions = reactions;
		this.#parts = parts;
	}

	async stop(): Promise<void> {
		await this.#parts?.disposeAsync();
		this.#parts = undefined;
	}

	async backlog(): Promise<number> {
		const backlogs = await Promise.all(this.#reactions.map((reacting) => reacting.backlog()));
		return backlogs.reduce((sum, one) => sum + one, 0);
	}
}

export async function startStandIns(stack: AsyncDisposableStack, clock: { now: Date }): Promise<StandIns> {
	const token = createToken({ network: "eip155:84532", now: () => clock.now.getTime() });
	return {
		token,
		facilitator: stack.use(await startFacilitator({ token })),
		tempo: stack.use(await startTempo({ now: () => clock.now.getTime() })),
		stripe: stack.use(await startStripe({ now: () => clock.now })),
	};
}

export function railSettings(
	{ facilitator, tempo, stripe }: StandIns,
	pay: readonly RailName[],
): Record<string, string> {
	return {
		...(pay.includes("x402") && {
			X402_PAY_TO: payTo,
			X402_NETWORK: "eip155:84532",
			X402_FACILITATOR_URL: facilitator.url,
			X402_RPC_URL: facilitator.rpcUrl,
			X402_TIMEOUT_MS: "1500",
		}),
		...(pay.includes("mpp") && {
			MPP_RECIPIENT: payTo,
			MPP_RPC_URL: tempo.url,
			MPP_CHAIN_ID: String(tempo.chainId),
			MPP_SECRET_KEY: challengeSecret,
		}),
		...(pay.includes("card") && {
			STRIPE_SECRET_KEY: stripe.secretKey,
			STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
			STRIPE_NETWORK_ID: stripe.networkId,
			STRIPE_API_URL: stripe.url,
			MPP_SECRET_KEY: challengeSecret,
		}),
	};
}
