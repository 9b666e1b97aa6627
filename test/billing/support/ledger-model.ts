/** A model of the ledger of payments, as simple as can be: one request after the other, in memory. */
import type { Params, Reply } from "#libs/contract/index.ts";
import type { PaymentState } from "#libs/contract/vocabulary.ts";

type Claim = Params<"claimPayment">;
type Finish = Params<"finishPayment">;

interface Row extends Claim {
	id: number;
	state: PaymentState;
	reference: string | null;
	/** Seconds. */
	claimedAt: number;
	settlingAt: number;
	finishedAt: number;
	leasedUntil: number;
	delivered: boolean;
	deliveries: number;
	attempts: number;
	cached: { at: number; answer: object } | undefined;
}

const hour = 3_600;
const day = 24 * hour;

export function makeModel() {
	const rows: Row[] = [];
	const balances = new Map<string, number>();
	const intents = new Set<string>();
	const events = new Set<string>();
	const row = (id: number) => rows.find((one) => one.id === id);

	function giveBack(one: Row, state: "released" | "failed"): void {
		one.state = state;
		if (one.credits_sha256 !== null) move(one.credits_sha256, one.amount_micro_usd);
	}
	function move(token: string, by: number): void {
		balances.set(token, (balances.get(token) ?? 0) + by);
	}

	/** The expected reply; the ledger chooses the id of a payment that is claimed. */
	function claim(asked: Claim, now: number): (id: number) => object {
		const says = (expected: object) => () => expected;
		const live = rows.filter((one) => one.rail === asked.rail && one.state !== "released");
		const isNamed = (one: Row) =>
			one.state !== "failed" &&
			asked.identifier !== null &&
			asked.payer !== null &&
			one.identifier === asked.identifier &&
			one.payer === asked.payer;
		const byNonce = live.find((one) => one.nonce === asked.nonce);
		const isUnanswered = (one: Row) =>
			!asked.only_again &&
			asked.credits_sha256 === null &&
			asked.payer !== null &&
			one.payer === asked.payer &&
			one.resource === asked.resource &&
			one.credits_sha256 === null &&
			!one.delivered &&
			(one.state === "unknown" ||
				(one.state === "settling" && one.settlingAt <= now - 30) ||
				(one.state === "settled" && one.attempts > 0 && one.deliveries < 3 && one.finishedAt > now - 7 * day));
		const unanswered = live.filter(isUnanswered).toSorted((a, b) => a.id - b.id)[0];
		const found = (asked.only_again ? undefined : live.find(isNamed)) ?? byNonce ?? unanswered;
		if (found !== undefined)
			return says(again(found, asked, { isNamed: isNamed(found), isUnanswered: isUnanswered(found) }, now));
		if (asked.only_again) return says({ outcome: "used", state: "released" });
		if (asked.credits_sha256 !== null) {
			const balance = balances.get(asked.credits_sha256) ?? 0;
			if (balance < asked.amount_micro_usd) return says({ outcome: "insufficient", balance_micro_usd: balance });
			move(asked.credits_sha256, -asked.amount_micro_usd);
		}
		const one: Row = {
			...asked,
			id: 0,
			state: "claimed",
			reference: null,
			claimedAt: now,
			settlingAt: 0,
			finishedAt: 0,
			leasedUntil: 0,
			delivered: false,
			deliveries: 0,
			attempts: 0,
			cached: undefined,
		};
		rows.push(one);
		return (id) => {
			one.id = id;
			return { outcome: "claimed", payment_id: id };
		};
	}

	function again(
		one: Row,
		asked: Claim,
		{ isNamed, isUnanswered }: { isNamed: boolean; isUnanswered: boolean },
		now: number,
	): object {
		const { id: payment_id, state } = one;
		const reference = one.reference ?? "";
		if (isNamed && one.resource !== asked.resource) return { outcome: "conflict" };
		if (state === "failed") return { outcome: "used", state };
		const isSame = one.credential_sha256 === asked.credential_sha256;
		if (state === "claimed" && isSame && one.request_id === asked.request_id) return { outcome: "claimed", payment_id };
		if (state !== "settled") return { outcome: "pending", state };
		const named = isNamed && (isSame || !asked.only_again);
		if (one.resource !== asked.resource || !(isSame || named || isUnanswered)) return { outcome: "used", state };
		if (named && one.cached !== undefined && one.cached.at > now - day)
			return { outcome: "answered", payment_id, reference, ...one.cached.answer };
		const anew = named && one.credits_sha256 === null && one.finishedAt > now - day;
		if (one.delivered && !anew) return { outcome: "used", state };
		if (one.finishedAt <= now - 7 * day) return { outcome: "used", state };
		if (one.leasedUntil > now) return { outcome: "pending", state };
		if (one.deliveries === 3) return { outcome: "used", state };
		one.deliveries++;
		one.leasedUntil = now + 60;
		return { outcome: "deliver", payment_id, reference };
	}

	return {
		claim,
		/** Whether it is not refused. */
		begin(id: number, requestId: string | undefined, now: number): boolean {
			const one = row(id);
			const begun = one?.state === "settling" && one.request_id === requestId;
			if (one === undefined || !(one.state === "claimed" || begun)) return false;
			one.state = "settling";
			one.settlingAt = now;
			return true;
		},
		finish({ payment_id, state, reference, delivered }: Finish, now: number): { state: PaymentState } | undefined {
			const one = row(payment_id);
			if (one === undefined) return undefined;
			const debited = one.credits_sha256 !== null;
			if (one.state === "settling" || one.state === "unknown" || (one.state === "claimed" && debited)) {
				one.settlingAt ||= now;
				one.reference = reference ?? one.reference;
				if (state !== "unknown") one.leasedUntil = 0;
				if (state === "failed") giveBack(one, "failed");
				else one.state = state;
				if (state === "settled") {
					one.finishedAt = now;
					one.delivered = delivered;
					if (debited && !delivered) one.leasedUntil = now + 60;
				}
			} else if (one.state === "settled" && state === "settled" && delivered) {
				one.delivered = true;
				one.leasedUntil = 0;
				one.reference ??= reference;
			}
			return { state: one.state };
		},
		keep({ payment_id, ...answer }: Params<"storePaidResponse">, now: number): boolean {
			const one = row(payment_id);
			if (one === undefined || one.identifier === null || one.payer === null) return false;
			if (!["settling", "unknown", "settled"].includes(one.state)) return false;
			one.cached ??= { at: now, answer };
			return true;
		},
		release(id: number): { state: PaymentState } | undefined {
			const one = row(id);
			if (one === undefined) return undefined;
			const unbought =
				one.state === "settling" || one.state === "unknown" || (one.state === "settled" && !one.delivered);
			if (one.state === "claimed" || (one.credits_sha256 !== null && unbought)) giveBack(one, "released");
			return { state: one.state };
		},
		giveBack(id: number, unsent: boolean): { state: PaymentState } | undefined {
			const one = row(id);
			if (one === undefined) return undefined;
			if (one.state === "settled") {
				if (unsent && one.deliveries > 0) one.deliveries--;
				one.delivered = false;
				one.leasedUntil = 0;
				if (one.credits_sha256 !== null) giveBack(one, "released");
			}
			return { state: one.state };
		},
		/** Ids and ages. */
		take(now: number, leaseSeconds: number): Map<number, number> {
			for (const one of rows) {
				const undelivered = one.state === "settled" && one.credits_sha256 !== null && !one.delivered;
				if (one.state === "claimed" ? one.claimedAt <= now - 300 : undelivered && one.finishedAt <= now - hour)
					giveBack(one, "released");
			}
			const due = rows.filter(
				(one) =>
					one.leasedUntil <= now &&
					(one.state === "unknown" || (one.state === "settling" && one.settlingAt <= now - 30)),
			);
			for (const one of due) one.leasedUntil = now + Math.min(3_600, leaseSeconds * 2 ** one.attempts++);
			return new Map(due.map((one) => [one.id, now - one.settlingAt]));
		},
		add(token: string, amount: number, intent: string, event: string | null): Reply<"addCredits"> {
			const added = !intents.has(intent) && !(event !== null && events.has(event));
			if (added) {
				intents.add(intent);
				if (event !== null) events.add(event);
				move(token, amount);
			}
			return { balance_micro_usd: balances.get(token) ?? 0, added };
		},
		requestOf: (id: number): string => row(id)?.request_id ?? "no request",
		balanceOf: (token: string): number => balances.get(token) ?? 0,
		/** The expected rows of the table, by id. */
		states: () =>
			rows
				.toSorted((a, b) => a.id - b.id)
				.map(({ id, state, delivered, deliveries, reference }) => ({ id, state, delivered, deliveries, reference })),
	};
}
