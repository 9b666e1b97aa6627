/** Time that paying adds to a call: by x402 with the facilitator in the gateway, by prepaid credits, by MPP. */
import { join } from "node:path";
import { recoverMessageAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import type { Sql } from "#libs/postgres/connect.ts";
import { freePort, root } from "../../deploy/local/data-dir.ts";
import { issueKey, launchGateway, path, quiet, until } from "./access.ts";
import { load } from "./access-added.ts";
import { type Headers, mppWallet, prepaid, type Wallet, x402Wallet } from "./access-wallets.ts";
import { quantile, takeTurns, timed } from "./measure.ts";
import { type Row, short, spread } from "./report.ts";
import type { Bench } from "./system.ts";

/** A paid call by x402 (p50), and an unpaid one that gets the price (p99), in ms. */
const aims = { paid: 5, unpaid: 5 };

export async function measurePayments(bench: Bench, billing: Sql, say: (line: string) => void): Promise<Row[]> {
	const calls = bench.size.count(100);
	const latencies = async (call: () => Promise<number>): Promise<number[]> => {
		await quiet(billing);
		const taken: number[] = [];
		while (taken.length < calls) taken.push(await call());
		return taken;
	};
	const account = privateKeyToAccount(generatePrivateKey());
	const standIns = await launchStandIns(bench);
	const origin = await launchGateway(bench, "bench-payments", { wallet: account.address }, railSettings(standIns));
	const url = origin + path;
	// Nothing is offered before the facilitator has answered.
	await until("x402 is offered", async () => (await fetch(url)).headers.has("payment-required"));
	const [x402, mpp] = [x402Wallet(account), mppWallet(standIns.tempo)];
	const key = { "X-API-Key": await issueKey(origin, billing) };
	const credits = await prepaid(bench);
	const ask = (headers: Headers) => timed(() => paidFor(fetch(url, { headers })));
	const repeated = (headers: Headers) => latencies(() => ask(headers));
	/** Signed beforehand. */
	const signed = async (wallet: Wallet) => {
		const beforehand: Headers[] = [];
		while (beforehand.length < calls) beforehand.push(await wallet.sign(url));
		return latencies(() => ask(beforehand.pop() ?? {}));
	};
	const whole = (wallet: Wallet) => latencies(() => timed(() => paidFor(wallet.fetch(url))));
	const message = "what a caller signs";
	const signature = await account.signMessage({ message });
	const turns = await takeTurns(bench.size.turns(6), {
		key: () => repeated(key),
		commit: () => latencies(() => timed(() => commit(billing))),
		signer: () => latencies(() => timed(() => recoverMessageAddress({ message, signature }))),
		x402: () => signed(x402),
		x402Whole: () => whole(x402),
		card: () => repeated(credits),
		mpp: () => signed(mpp),
		mppWhole: () => whole(mpp),
	});
	say("paid calls: done");
	const unpaid = await takeTurns(bench.size.turns(6), {
		unpaid: () => load({ url: origin, status: 402 }, 1, bench.size.seconds(1)),
	});
	say("unpaid calls: done");
	return [...(await paidRows(billing, turns)), ...unpaidRows(unpaid.unpaid)];
}

interface StandIns {
	facilitator: string;
	tempo: string;
	stripe: string;
}

/** Runs in a process of its own, as the networks that it stands for would. */
async function launchStandIns(bench: Bench): Promise<StandIns> {
	const ports = { facilitator: await freePort(), tempo: await freePort(), stripe: await freePort() };
	const program = join(root, "test", "support", "payments", "demo.ts");
	const given = { ...ports, webhookUrl: `${bench.url}/webhooks/stripe`, wallet: generatePrivateKey() };
	bench.launch({ name: "bench-stand-ins", program: process.execPath, args: [program, JSON.stringify(given)] });
	const urlOf = (port: number) => `http://127.0.0.1:${port}`;
	await until("the stand-ins listen", () =>
		fetch(urlOf(ports.stripe)).then(
			() => true,
			() => false,
		),
	);
	return { facilitator: urlOf(ports.facilitator), tempo: urlOf(ports.tempo), stripe: urlOf(ports.stripe) };
}

const railSettings = ({ facilitator, tempo, stripe }: StandIns): Record<string, string> => ({
	KEYLESS: "pay",
	CHALLENGES_PER_MINUTE: "1000000",
	X402_PAY_TO: "0x00000000000000000000000000000000000000e1",
	X402_NETWORK: "eip155:84532",
	// Demanded, and not asked: the facilitator is in the process.
	X402_FACILITATOR_URL: facilitator,
	X402_RPC_URL: `${facilitator}/rpc`,
	MPP_RECIPIENT: "0x00000000000000000000000000000000000000e2",
	MPP_RPC_URL: tempo,
	MPP_SECRET_KEY: "the benchmark's own secret, which signs challenges",
	STRIPE_SECRET_KEY: "sk_test_demo",
	STRIPE_WEBHOOK_SECRET: "whsec_demo",
	STRIPE_NETWORK_ID: "profile_demo",
	STRIPE_API_URL: stripe,
});

async function paidFor(answering: Promise<Response>): Promise<void> {
	const answered = await answering;
	const text = await answered.text();
	if (!answered.ok) throw new Error(`${answered.status} instead of what was paid for: ${text.slice(0, 300)}`);
}

/** The least that PostgreSQL commits. */
const commit = (sql: Sql) => sql`select pg_logical_emit_message(true, 'bench', '')`;

type Kind = "key" | "commit" | "signer" | "x402" | "x402Whole" | "card" | "mpp" | "mppWhole";

async function paidRows(billing: Sql, turns: Record<Kind, number[][]>): Promise<Row[]> {
	const at = (kind: Kind, share: number) => turns[kind].map((turn) => quantile(turn, share));
	const noteOf = (kind: Kind) => `${spread(at(kind, 0.5))}; p99 ${short(quantile(turns[kind].flat(), 0.99))}`;
	const call = (measure: string, kind: Kind): Row => ({
		measure: `${measure} against one with a key, p50`,
		unit: "ms",
		ours: at(kind, 0.5),
		baseline: at("key", 0.5),
		note: noteOf(kind),
	});
	return [
		{
			measure: "the least durable commit, p50",
			unit: "ms",
			ours: at("commit", 0.5),
			baseline: [],
			note: `${noteOf("commit")}; ${await durability(billing)}; a paid call waits for two`,
		},
		{
			measure: "finding out who signed (viem), p50",
			unit: "ms",
			ours: at("signer", 0.5),
			baseline: [],
			note: `${noteOf("signer")}; a call paid by x402 waits for three: its facilitator's two, its chain's one`,
		},
		call("x402, the paid request (signed beforehand)", "x402"),
		{
			measure: "  against the aim, p50",
			unit: "ms",
			ours: at("x402", 0.5),
			baseline: at("x402", 0.5).map(() => aims.paid),
			aim: { atMost: 1 },
			note: "the baseline is the aim",
		},
		call("x402, the whole of @x402/fetch: 402, signing, paid request", "x402Whole"),
		call("card: prepaid credits", "card"),
		call("mpp, the paid request (signed beforehand)", "mpp"),
		call("mpp, the whole of the official client", "mppWhole"),
	];
}

function unpaidRows(turns: { p50: number; p99: number }[]): Row[] {
	const [p50, p99] = [turns.map((turn) => turn.p50), turns.map((turn) => turn.p99)];
	return [
		{ measure: "the unpaid 402 with every rail, p50", unit: "ms", ours: p50, baseline: [], note: spread(p50) },
		{
			measure: "  p99 against the aim",
			unit: "ms",
			ours: p99,
			baseline: p99.map(() => aims.unpaid),
			aim: { atMost: 1 },
			note: `the baseline is the aim; ${spread(p99)}`,
		},
	];
}

async function durability(sql: Sql): Promise<string> {
	const [row] = await sql<{ fsync: string; commit: string }[]>`
		select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`;
	return `fsync ${row?.fsync}, synchronous_commit ${row?.commit}`;
}
