/** Gateways in little: many requests at once that claim, charge and finish payments, and die anywhere; a chain; and the job that looks for outcomes. */
import { AppError } from "#libs/contract/errors.ts";
import { digestOf } from "#libs/contract/key.ts";
import { connect } from "#libs/postgres/connect.ts";
import { isDatabaseUnavailable } from "#libs/postgres/connection-errors.ts";
import { type Ask, type Claim, claimOf, debitOf, type Ledger, openToken } from "./payments.ts";

/** The request's process is gone. */
class Died extends Error {}

/** An authorisation to charge is good for so long (s): after that its charge fails, and it is known that it will. */
const chargeableSeconds = 600;
const startBalance = 400_000;

export interface Happened {
	/** The number of charges of each nonce on the chain. */
	charges: Map<string, number>;
	/** Payments on a chain of which an outcome was said. */
	said: Map<number, "settled" | "failed">;
	spent: { start: number };
}

interface World extends Happened {
	ledger: Ledger;
	random(): number;
	seconds(): number;
}

/** Runs so many requests, 16 at once, then lets time pass until every outcome is known. */
export async function runRequests(
	ledger: Ledger,
	random: () => number,
	{ tokens, requests }: { tokens: readonly string[]; requests: number },
): Promise<Happened> {
	for (const token of tokens) await openToken(ledger.ask, token, startBalance);
	const happened: Happened = { charges: new Map(), said: new Map(), spent: { start: startBalance } };
	const world: World = { ...happened, ledger, random, seconds: () => ledger.now().getTime() / 1_000 };
	let next = 0;
	async function worker(ask: Ask): Promise<void> {
		while (next < requests) {
			const at = next++;
			if (at % 25 === 24) ledger.pass(Math.floor(random() * 200));
			if (at % 60 === 59) await loseSessions(ledger);
			const work = random() < 0.1 ? reconcile(world, ask) : oneRequest(world, ask, someClaim(random, at, tokens));
			await work.catch(diedOr);
		}
	}
	const [one, two] = ledger.instances;
	await Promise.all(Array.from({ length: 16 }, (_, at) => worker(at % 2 === 0 ? one : two)));
	for (let round = 0; round < 50 && (await isOpen(ledger)); round++) {
		ledger.pass(3_600);
		await reconcile(world, one).catch(diedOr);
	}
	return happened;
}

const someClaim = (random: () => number, at: number, tokens: readonly string[]): Claim => {
	const token = random() < 0.4 ? tokens[Math.floor(random() * tokens.length)] : undefined;
	// Each comes about four times, at about the same time.
	const nonce = `nonce ${Math.floor(at / 12)} ${Math.floor(random() * 3)}`;
	const identifier = random() < 0.3 ? `name ${Math.floor(at / 20)}` : null;
	// All requests are of one payer: with few kinds of requests an unknown charge would hold up everything.
	const resource = digestOf(`question ${Math.floor(at / 12)}`);
	const facts = { nonce, identifier, resource, credential_sha256: digestOf(nonce) };
	return claimOf(token === undefined ? facts : debitOf(token, facts));
};

async function oneRequest(world: World, ask: Ask, asked: Claim): Promise<void> {
	const { random } = world;
	const mayDie = () => {
		if (random() < 0.08) throw new Died();
	};
	const claim = await ask("claimPayment", asked);
	mayDie();
	if (claim.outcome === "deliver") await handOver(world, ask, claim.payment_id);
	if (claim.outcome !== "claimed") return;
	const { payment_id } = claim;
	if (random() < 0.15) {
		await ask("releasePayment", { payment_id });
		return;
	}
	if (asked.credits_sha256 === null) {
		await ask("beginSettlement", { payment_id });
		const begun = world.seconds();
		mayDie();
		const outcome = charge(world, asked.nonce, begun);
		mayDie();
		await finish(world, ask, payment_id, outcome);
		if (outcome !== "settled") return;
	} else {
		const finished = { payment_id, state: "settled", reference: null, delivered: false } as const;
		if ((await ask("finishPayment", finished)).state !== "settled") return;
	}
	mayDie();
	if (asked.identifier !== null)
		await ask("storePaidResponse", { payment_id, status: 200, content_type: "text/plain", body: "YQ==" });
	await handOver(world, ask, payment_id);
}

async function handOver({ random }: World, ask: Ask, payment_id: number): Promise<void> {
	if (random() < 0.2) await ask("returnPayment", { payment_id });
	else await ask("finishPayment", { payment_id, state: "settled", reference: null, delivered: true });
}

/** The charge's result, as the gateway learns it: of some that were charged, and of some that were not, nothing. */
function charge({ charges, random, seconds }: World, nonce: string, begun: number): "settled" | "failed" | "unknown" {
	const chance = random();
	if (seconds() - begun > chargeableSeconds || chance < 0.15) return "failed";
	if (chance < 0.25) return "unknown";
	charges.set(nonce, (charges.get(nonce) ?? 0) + 1);
	return chance < 0.4 ? "unknown" : "settled";
}

async function finish(world: World, ask: Ask, payment_id: number, state: "settled" | "failed" | "unknown") {
	const answer = await ask("finishPayment", { payment_id, state, reference: "tx", delivered: false });
	if (answer.state === "settled" || answer.state === "failed") world.said.set(payment_id, answer.state);
}

async function reconcile(world: World, ask: Ask): Promise<void> {
	const { payments } = await ask("claimUnsettled", { limit: 20, lease_seconds: 60 });
	for (const { payment_id, nonce, age_seconds } of payments) {
		if (world.random() < 0.1) throw new Died();
		const charged = world.charges.has(nonce);
		if (charged || age_seconds > chargeableSeconds)
			await finish(world, ask, payment_id, charged ? "settled" : "failed");
		else await finish(world, ask, payment_id, "unknown");
	}
}

async function isOpen({ sql }: Ledger): Promise<boolean> {
	const open = await sql`select from payments where state in ('claimed', 'settling', 'unknown') limit 1`;
	return open.count > 0;
}

/** Ends half of the instances' sessions, whatever they are in the middle of. */
async function loseSessions({ adminUrl }: Ledger): Promise<void> {
	await using administrator = connect(adminUrl, { schema: "public", name: "administrator", max: 1 });
	await administrator`
		select pg_terminate_backend(pid) from pg_stat_activity
		where datname = current_database() and application_name in ('one', 'two') and pid % 2 = 0`;
}

/** A refusal is an answer, a lost session is a death. */
function diedOr(error: unknown): void {
	if (error instanceof Died || isDatabaseUnavailable(error)) return;
	if (error instanceof AppError && error.status === 409) return;
	throw error;
}
