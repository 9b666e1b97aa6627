/**
 * The whole product in containers, for other teams' tests: PostgreSQL, NATS, Redis and the five services from one image, in a network
 * of their own and on free ports, so that stacks run side by side.
 *
 *     await using stack = await new EnergyDataStack({ data: "sample" }).start();
 *     await fetch(`${stack.url}/projects?state=TX`);
 *
 * docs/testcontainers.md has a whole example.
 */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { type StartedTestContainer, Wait } from "testcontainers";
import { chooseImage } from "./image.ts";
import { engineTerms, type Launcher, openLauncher, together } from "./launch.ts";
import type { EngineName, Plan } from "./plan.ts";

export interface StackOptions {
	/** The product's; else ENERGY_IMAGE; else it is built, where this module lies in the product's repository. */
	image?: string;
	/** Images of the engines; else POSTGRES_IMAGE, NATS_IMAGE and REDIS_IMAGE; else the official ones. */
	images?: Partial<Record<EngineName, string>>;
	/** Loads the bundled sample (the default) or nothing. */
	data?: "sample" | "none";
	/** A request without a key gets everything (the default), the demand to pay, or nothing but free endpoints. */
	keyless?: "open" | "pay" | "closed";
	/** Further settings of the gateway, by name (docs/settings.md lists them). */
	gateway?: Record<string, string>;
	/** Longest wait for any one container (ms, 180,000 when absent). */
	withinMs?: number;
}

export type PlanName = "Free" | "Growth" | "Scale" | "Enterprise";

/** Where, and as whom, the event streams are read. */
export interface NatsLogin {
	user: string;
	pass: string;
	/** Inboxes of any other name are refused. */
	inboxPrefix: string;
}

export interface IngestOutcome {
	/** A list that is held back or refused is an error instead. */
	outcome: "applied" | "unchanged";
	[more: string]: unknown;
}

const officialImages: Record<EngineName, string> = {
	postgres: "postgres:18-bookworm",
	nats: "nats:2.12-alpine",
	redis: "redis:8-alpine",
};

export class EnergyDataStack {
	readonly #options: StackOptions;

	constructor(options: StackOptions = {}) {
		this.#options = options;
	}

	/** Resolves when every service is ready; what was started until a failure is removed. */
	async start(): Promise<StartedEnergyDataStack> {
		const { images = {}, data = "sample", keyless = "open", gateway = {}, withinMs = 180_000 } = this.#options;
		const image = await chooseImage(this.#options.image);
		await using stack = new AsyncDisposableStack();
		const launcher = stack.use(await openLauncher());
		const ours = { image, memoryGb: 1, withinMs };
		const plan = await askPlan(launcher, ours);
		const engines = await together(
			(Object.keys(officialImages) as EngineName[]).map(async (name) => {
				const chosen = images[name] || process.env[`${name.toUpperCase()}_IMAGE`] || officialImages[name];
				const started = await launcher.start(plan.engines[name], { ...engineTerms[name], image: chosen, withinMs });
				return [name, started] as const;
			}),
		);
		await launcher.run(plan.prepare, ours);
		if (data === "sample") for (const part of plan.sample) await launcher.run(part, { ...ours, memoryGb: 2 });
		const started = await together(
			plan.services.map(async (service) => {
				const settings = service.name === "gateway" ? { KEYLESS: keyless, ...gateway } : {};
				const configured = { ...service, environment: { ...service.environment, ...settings } };
				const ready = Wait.forHttp("/ready", 9090, { abortOnContainerExit: true }).withReadTimeout(500);
				const ports = service.name === "gateway" ? [8080, 9090] : [9090];
				// One that does not reach NATS in time ends, and counts on being started again.
				const terms = { ...ours, started: ready, ports, attempts: 3 };
				return [service.name, await launcher.start(configured, terms)] as const;
			}),
		);
		const owned = stack.move();
		return new StartedEnergyDataStack({
			plan,
			launcher,
			services: new Map(started),
			nats: new Map<string, StartedTestContainer>(engines).get("nats"),
			ingestTerms: { ...ours, memoryGb: 2 },
			close: () => owned.disposeAsync(),
		});
	}
}

interface Parts {
	plan: Plan;
	launcher: Launcher;
	services: Map<string, StartedTestContainer>;
	nats: StartedTestContainer | undefined;
	ingestTerms: { image: string; memoryGb: number; withinMs: number };
	close(): Promise<void>;
}

export class StartedEnergyDataStack implements AsyncDisposable {
	readonly #parts: Parts;

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	get url(): string {
		const gateway = this.#service("gateway");
		return `http://${gateway.getHost()}:${gateway.getMappedPort(8080)}`;
	}

	get natsUrl(): string {
		const { nats } = this.#parts;
		if (nats === undefined) throw new Error("NATS is not there");
		return `nats://${nats.getHost()}:${nats.getMappedPort(4222)}`;
	}

	/** Options for the client of NATS, of who may read the event streams and nothing else. */
	get natsLogin(): NatsLogin {
		const { user, password } = this.#parts.plan.subscriber;
		return { user, pass: password, inboxPrefix: `_INBOX.${user}` };
	}

	async issueKey(plan: PlanName = "Free"): Promise<string> {
		const email = `${randomUUID()}@example.org`;
		const command = ["node", "services/billing/admin/keys.ts", "issue", "--email", email, "--plan", plan];
		const { exitCode, output } = await this.#service("billing").exec(command);
		const key = /\bpk_\w+/.exec(output)?.[0];
		if (exitCode !== 0 || key === undefined) throw new Error(`no key was issued: ${output}`);
		return key;
	}

	/**
	 * Takes in an operator's list: the file (or files) that the operator publishes. What it changes is published within moments. A list is as of
	 * now unless `asOf` says otherwise; one that is older than the last is refused.
	 */
	async loadList(region: string, files: string | string[], options: { asOf?: string } = {}): Promise<IngestOutcome> {
		const { asOf = new Date().toISOString() } = options;
		const paths = [files].flat();
		const missing = paths.find((path) => !existsSync(path));
		if (missing !== undefined) throw new Error(`there is no file ${missing}`);
		const copied = paths.map((source, i) => ({ source, target: `/lists/${i}/${basename(source)}` }));
		const { ingest } = this.#parts.plan;
		const command = [...ingest.command, "--region", region, "--as-of", asOf, ...copied.map(({ target }) => target)];
		const printed = await this.#parts.launcher.run({ ...ingest, command }, { ...this.#parts.ingestTerms, copied });
		const outcome = printed.split("\n").findLast((line) => line.startsWith("{"));
		if (outcome === undefined) throw new Error(`nothing was taken in: ${printed}`);
		return JSON.parse(outcome);
	}

	/** The last 5,000 lines of each container, each with the container's name. */
	logs(): string {
		return this.#parts.launcher.logs();
	}

	/** Ends and removes every container, and the network. */
	stop(): Promise<void> {
		return this.#parts.close();
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.stop();
	}

	#service(name: string): StartedTestContainer {
		const found = this.#parts.services.get(name);
		if (found === undefined) throw new Error(`${name} is no service of this image`);
		return found;
	}
}

async function askPlan(
	launcher: Launcher,
	terms: { image: string; memoryGb: number; withinMs: number },
): Promise<Plan> {
	const question = { name: "plan", command: ["deploy/container/stack.ts"], environment: {} };
	const printed = await launcher.run(question, terms, { secret: true });
	const plan: Plan = JSON.parse(printed.slice(printed.search(/^\{$/m)));
	if (plan.version !== 1) throw new Error(`${terms.image} is run in a way that this module does not know`);
	return plan;
}
