/** Made steps of a history of the ledger, one after the other: what was asked, what was answered, and what the model says. */
import { AppError } from "#libs/contract/errors.ts";
import { digestOf } from "#libs/contract/key.ts";
import { makeModel } from "./ledger-model.ts";
import { type Ask, type Claim, claimOf, type Ledger, openToken } from "./payments.ts";

type Answer = object | number;
type Step = (ask: Ask) => Promise<readonly [asked: object, answer: Answer, expected: Answer]>;

export interface Course {
	model: ReturnType<typeof makeModel>;
	/** The number of claims by their answer. */
	count: Record<string, number>;
	step: Step;
}

interface Choice {
	ledger: Ledger;
	model: Course["model"];
	/** Payments in the order in which they were claimed. */
	ids: number[];
	chance(most: number): boolean;
	under(most: number): number;
	some<T>(values: readonly [T, ...T[]]): T;
	/** Mostly one of the last: what is long past seldom changes. */
	anyId(): number;
	seconds(): number;
}

export function makeCourse(ledger: Ledger, random: () => number): Course {
	const ids: number[] = [];
	const under = (most: number) => Math.floor(random() * most);
	const choice: Choice = {
		ledger,
		model: makeModel(),
		ids,
		under,
		chance: (share) => random() < share,
		some: (values) => values[under(values.length)] ?? values[0],
		anyId: () => ids[Math.max(0, ids.length - 1 - under(random() < 0.8 ? 2 : 40))] ?? 1,
		seconds: () => ledger.now().getTime() / 1_000,
	};
	const count = { claimed: 0, deliver: 0, answered: 0, pending: 0, used: 0, conflict: 0, insufficient: 0 };
	const claim = claiming(choice, count);
	const weighted: [number, Step][] = [[18, claim], ...settling(choice), ...givingBack(choice), [2, buying(choice)]];
	const steps = weighted.flatMap(([weight, step]) => Array.from({ length: weight }, () => step));
	return { model: choice.model, count, step: (ask) => (steps[under(steps.length)] ?? claim)(ask) };
}

function claiming(choice: Choice, count: Record<string, number>): Step {
	const { model, ids, seconds } = choice;
	const asks: Claim[] = [];
	return async (ask) => {
		const params = someClaim(choice, asks);
		asks.push({ ...params, only_again: false, resource: claimOf({}).resource });
		const expectedOf = model.claim(params, seconds());
		const answer = await ask("claimPayment", params);
		count[answer.outcome] = (count[answer.outcome] ?? 0) + 1;
		const id = answer.outcome === "claimed" ? answer.payment_id : 0;
		if (id > 0 && !ids.includes(id)) ids.push(id);
		return [params, answer, expectedOf(id)];
	};
}

/** A purchase, or one of the last ones again, mostly with something changed. */
function someClaim({ chance, under, some }: Choice, asks: readonly Claim[]): Claim {
	const before = chance(0.75) ? asks[Math.max(0, asks.length - 1 - under(3))] : undefined;
	if (before !== undefined)
		return {
			...before,
			...(chance(0.8) && { request_id: claimOf({}).request_id }),
			...(chance(0.3) && { nonce: `nonce ${under(1_000)}` }),
			...(chance(0.15) && { resource: digestOf("another") }),
			...(chance(0.15) && { credential_sha256: digestOf("another") }),
			...(chance(0.15) && { only_again: true }),
		};
	const token = chance(0.4) ? some(["token 0", "token 0", "token 1", "token 1", "token never issued"]) : undefined;
	return claimOf({
		rail: token === undefined ? some(["x402", "mpp"]) : "card",
		nonce: `nonce ${under(1_000)}`,
		payer: some(["payer 0", "payer 0", "payer 0", "payer 1", null]),
		identifier: chance(0.6) ? `name ${under(50)}` : null,
		credits_sha256: token === undefined ? null : digestOf(token),
	});
}

function settling({ model, ids, anyId, some, chance, seconds }: Choice): [number, Step][] {
	const begin: Step = async (ask) => {
		const payment_id = anyId();
		const params = { payment_id, request_id: chance(0.5) ? model.requestOf(payment_id) : undefined };
		const expected = model.begin(payment_id, params.request_id, seconds()) ? {} : 409;
		return [params, await answerOf(ask("beginSettlement", params)), expected];
	};
	const finish: Step = async (ask) => {
		const state = some(["settled", "settled", "settled", "failed", "unknown"] as const);
		const reference = some(["tx", "another tx", null]);
		const params = { payment_id: anyId(), state, reference, delivered: chance(0.4) };
		const expected = model.finish(params, seconds()) ?? 404;
		return [params, await answerOf(ask("finishPayment", params)), expected];
	};
	const keep: Step = async (ask) => {
		const body = some(["YQ==", "Yg=="]);
		const params = { payment_id: anyId(), status: 200, content_type: "application/json", body };
		const expected = model.keep(params, seconds()) ? {} : ids.length > 0 ? 409 : 404;
		return [params, await answerOf(ask("storePaidResponse", params)), expected];
	};
	return [
		[5, begin],
		[8, finish],
		[8, keep],
	];
}

function givingBack({ ledger, model, anyId, some, chance, seconds }: Choice): [number, Step][] {
	const release: Step = async (ask) => {
		const payment_id = anyId();
		const expected = model.release(payment_id) ?? 404;
		return [{ release: payment_id }, await answerOf(ask("releasePayment", { payment_id })), expected];
	};
	const giveBack: Step = async (ask) => {
		const payment_id = anyId();
		const params = { payment_id, unsent: chance(0.5) };
		const expected = model.giveBack(payment_id, params.unsent) ?? 404;
		return [params, await answerOf(ask("returnPayment", params)), expected];
	};
	const take: Step = async (ask) => {
		ledger.pass(some([1, 20, 20, 60, 60, 200, 400, 4_000, 90_000, 700_000]));
		const expected = Object.fromEntries(model.take(seconds(), 60));
		const { payments } = await ask("claimUnsettled", { limit: 100, lease_seconds: 60 });
		const ages = payments.map(({ payment_id, age_seconds }) => [payment_id, age_seconds]);
		return [{ take: seconds() }, Object.fromEntries(ages), expected];
	};
	return [
		[2, release],
		[2, giveBack],
		[2, take],
	];
}

function buying({ model, ids, some, under }: Choice): Step {
	return async (ask) => {
		const token = some(["token 0", "token 1"]);
		const credits_id = await openToken(ask, token, 0);
		const latest = Math.floor(ids.length / 6);
		const payment_intent = `intent ${latest + under(4)}`;
		const event_id = some([null, `event ${latest + under(4)}`]);
		const params = { credits_id, amount_micro_usd: 25_000, payment_intent, event_id };
		const expected = model.add(digestOf(token), 25_000, payment_intent, event_id);
		return [params, await ask("addCredits", params), expected];
	};
}

/** The reply, or the status of its refusal. */
const answerOf = (asked: Promise<object>): Promise<Answer> =>
	asked.catch((error) => {
		if (error instanceof AppError) return error.status;
		throw error;
	});
