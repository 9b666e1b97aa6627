/**
 * The whole service with its sample data, paid for before stand-ins by a payer with money; and the programs of others that try it from
 * outside, each with an environment of its own: no wallet and no login of the user of this machine is used, and nothing outside is asked.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkEndpointSchema, getWarningsFor402Body, getWarningsForMppHeader } from "@agentcash/discovery";
import type { Hex } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { eventually } from "../../support/eventually.ts";
import { openPayer, type Payer } from "../../support/payments/mpp-payer.ts";
import { startWorld, type World } from "../../support/world.ts";
import { payTo, railSettings, type StandIns, startStandIns } from "./gateways.ts";
import { currency } from "./mpp.ts";

/** The tested service, and the money to pay with. */
export interface Shop {
	url: string;
	payments: StandIns;
	wallet: Wallet;
}

/** A payer with a hundred dollars on each chain. */
export interface Wallet {
	key: Hex;
	account: PrivateKeyAccount;
	tempo: Payer;
}

export interface Market extends Shop, AsyncDisposable {
	world: World;
}

const hundredDollars = 100_000_000n;

/** The realm that a program at this address expects, who to write to, and room for programs that ask a lot. */
export const shopSettings = { CONTACT: "data@example.com", MPP_REALM: "127.0.0.1", CHALLENGES_PER_MINUTE: "1000000" };

export async function openMarket(): Promise<Market> {
	await using stack = new AsyncDisposableStack();
	const clock = { now: new Date() };
	keepTime(clock);
	const payments = await startStandIns(stack, clock);
	const rails = railSettings(payments, ["x402", "mpp", "card"]);
	const world = stack.use(await startWorld({ query: true, gateway: { KEYLESS: "pay", ...shopSettings, ...rails } }));
	keepTime(world.clock);
	payments.stripe.checkouts.webhookUrl = `${world.url}/webhooks/stripe`;
	await world.settled();
	await world.extracted();
	await eventually(async () => (await fetch(`${world.url}/projects`)).headers.has("payment-required"));
	const owned = stack.move();
	return {
		url: world.url,
		world,
		payments,
		wallet: newWallet(payments),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** Lets time go on: a client of MPP gives its transactions half a minute. */
export const keepTime = (clock: { now: Date }): void =>
	void Object.defineProperty(clock, "now", { get: () => new Date() });

export function newWallet({ token, tempo }: StandIns): Wallet {
	const key = generatePrivateKey();
	const account = privateKeyToAccount(key);
	token.mint(account.address, hundredDollars);
	tempo.ledger.fund(account.address, currency, hundredDollars);
	return { key, account, tempo: openPayer(tempo, key) };
}

/** Micro-USD that have come in by now, over all rails. */
export function takenBy({ payments: { token, tempo, stripe } }: Pick<Shop, "payments">): number {
	return Number(token.balanceOf(payTo) + tempo.ledger.balance(payTo, currency)) + stripe.chargedCents * 10_000;
}

/** A program's exit code and output. */
export interface Ran {
	code: number | null;
	out: string;
	err: string;
}

/** Runs a program of `node_modules/.bin` and waits for its end. Into files: who ends at once does not wait until a pipe is read. */
export async function run(name: "mppx" | "discovery", args: string[], env: Record<string, string> = {}): Promise<Ran> {
	const home = await mkdtemp(join(tmpdir(), "client-"));
	try {
		const [out, err] = [join(home, "out"), join(home, "err")];
		await using stdout = await open(out, "w");
		await using stderr = await open(err, "w");
		const program = fileURLToPath(new URL(`../../../node_modules/.bin/${name}`, import.meta.url));
		const child = spawn(process.execPath, [program, ...args], {
			cwd: home,
			// A cache halves each start of a large program.
			env: { HOME: home, PATH: home, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
			stdio: ["ignore", stdout.fd, stderr.fd],
			timeout: 60_000,
		});
		const [code] = (await once(child, "close")) as [number | null];
		return { code, out: await readFile(out, "utf8"), err: await readFile(err, "utf8") };
	} finally {
		await rm(home, { recursive: true, force: true });
	}
}

/** The command line of mppx with the shop's wallet. */
export const runMppx = ({ wallet, payments }: Shop, args: string[]): Promise<Ran> =>
	run("mppx", args, { MPPX_PRIVATE_KEY: wallet.key, MPPX_RPC_URL: payments.tempo.url });

/** The payment options and complaints that the library of @agentcash/discovery finds in the 402 of an address. Its command line skips a 402 that it cannot read. */
export async function judge402(url: string, by = "GET"): Promise<{ options: number; complaints: string[] }> {
	const checked = await checkEndpointSchema({ url, probe: true });
	const advisory = checked.found ? checked.advisories.find(({ method }) => method === by) : undefined;
	const found = [
		...getWarningsFor402Body(advisory?.paymentRequiredBody),
		...getWarningsForMppHeader(advisory?.wwwAuthenticate),
	];
	return {
		options: advisory?.paymentOptions?.length ?? 0,
		complaints: found.map(({ code, severity }) => `${severity} ${code}`),
	};
}

/** The result of `mppx validate`: labels of the checks that passed, and the lines of those that warn, are skipped or fail. */
export interface Verdict {
	passed: string[];
	complaints: string[];
}

interface Check {
	label: string;
	severity: "pass" | "fail" | "warn" | "suggested" | "skip";
	detail?: string;
}

interface Validated {
	discovery: { checks?: Check[] };
	endpoints: (Record<"challenge" | "errorHandling" | "payment", Check[]> & { method: string; path: string })[];
}

export interface Validation {
	/** METHOD:path, which is paid for; without one, all that the document offers. */
	endpoint?: string;
	/** key=value */
	query?: string[];
	body?: object;
	sharedPaymentToken?: string;
}

export async function validate({ wallet, payments, url }: Shop, asked: Validation): Promise<Verdict> {
	const { endpoint, query = [], body, sharedPaymentToken = "" } = asked;
	const args = [
		...(endpoint === undefined ? [] : ["--endpoint", endpoint]),
		...query.flatMap((one) => ["--query", one]),
		...(body === undefined ? [] : ["--body", JSON.stringify(body)]),
	];
	const { out, err } = await run("mppx", ["validate", url, "--yes", "--output-json", ...args], {
		MPPX_CONFIG: fileURLToPath(new URL("mppx-config.ts", import.meta.url)),
		MPPX_PRIVATE_KEY: wallet.key,
		MPPX_RPC_URL: payments.tempo.url,
		SHARED_PAYMENT_TOKEN: sharedPaymentToken,
	});
	if (!out.startsWith("{")) throw new Error(`mppx validate said: ${out}${err}`);
	const { discovery, endpoints } = JSON.parse(out) as Validated;
	const checks = [
		...(discovery.checks ?? []).map((check) => ({ at: "document", ...check })),
		...endpoints.flatMap(({ method, path, challenge, errorHandling, payment }) =>
			[...challenge, ...errorHandling, ...payment].map((check) => ({ at: `${method} ${path}`, ...check })),
		),
	];
	return {
		passed: checks.filter(({ severity }) => severity === "pass").map(({ label }) => label),
		complaints: checks
			.filter(({ severity }) => severity !== "pass" && severity !== "suggested")
			.map(({ at, severity, label, detail }) => `${severity} at ${at}: ${label}${detail ? ` (${detail})` : ""}`),
	};
}
