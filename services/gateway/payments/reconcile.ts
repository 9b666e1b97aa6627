/** Finds out what became of payments whose charge was begun and whose outcome was not recorded. Each is leased to one replica at a time. */
import type { Logger } from "#libs/service/logger.ts";
import { startWorker } from "#libs/service/worker.ts";
import type { AskBilling } from "./billing.ts";
import type { Rail } from "./rails/rail.ts";

export interface ReconcileOptions {
	rails: readonly Rail[];
	ask: AskBilling;
	log: Pick<Logger, "info" | "warn">;
	everyMs?: number;
}

const atOnce = 10;
/** Before a payment is asked for again (s); billing doubles it each time. Two replicas that ask at once find out the same. */
const leaseSeconds = 30;

/** Runs until disposed; that waits for the payment at hand. */
export const startReconciling = (options: ReconcileOptions): AsyncDisposable =>
	startWorker({
		name: "reconcile-payments",
		everyMs: options.everyMs ?? 5_000,
		run: (stop) => reconcile(options, stop),
		onFailure: (err) => options.log.warn({ err }, "payments could not be reconciled"),
	});

/** One round. @returns how many outcomes were found. @throws AppError when billing does not answer. */
export async function reconcile({ rails, ask, log }: ReconcileOptions, stop?: AbortSignal): Promise<number> {
	const { payments } = await ask("takeUnsettled", { limit: atOnce, lease_seconds: leaseSeconds });
	let found = 0;
	for (const { payment_id, rail: name, stored, age_seconds } of payments) {
		if (stop?.aborted) break;
		// Of a rail that was disabled since: its lease ends, and it waits for who can ask.
		const rail = rails.find((one) => one.name === name);
		if (rail === undefined) continue;
		const settlement = await rail.reconcile(stored, age_seconds);
		if (settlement.outcome === "unknown") continue;
		const reference = settlement.outcome === "settled" ? settlement.reference : null;
		// Its answer never went out, as far as is known: its payer may request it.
		await ask("finishPayment", { payment_id, state: settlement.outcome, reference, delivered: false });
		log.info({ payment_id, rail: name, outcome: settlement.outcome }, "what became of a payment was found out");
		found++;
	}
	return found;
}
