/** Finds the outcome of payments whose charge was begun and not recorded. Each is leased to one replica at a time. */
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

const paymentsAtOnce = 10;
/** Lease of a payment (s); billing doubles it each time. Two replicas that check at once get the same result. */
const leaseSeconds = 30;

/** Runs until disposed, which waits for the current payment. */
export const startReconciling = (options: ReconcileOptions): AsyncDisposable =>
	startWorker({
		name: "reconcile-payments",
		everyMs: options.everyMs ?? 5_000,
		run: (stop) => reconcile(options, stop),
		onFailure: (err) => options.log.warn({ err }, "payments could not be reconciled"),
	});

/** One round. @returns the number of outcomes that were found. @throws AppError if billing does not answer */
export async function reconcile({ rails, ask, log }: ReconcileOptions, stop?: AbortSignal): Promise<number> {
	const { payments } = await ask("claimUnsettled", { limit: paymentsAtOnce, lease_seconds: leaseSeconds });
	let found = 0;
	for (const { payment_id, rail: name, stored, age_seconds } of payments) {
		if (stop?.aborted) break;
		// The rail was disabled since. The lease ends, and a replica with the rail can check the payment.
		const rail = rails.find((one) => one.name === name);
		if (rail === undefined) continue;
		const settlement = await rail.reconcile(stored, age_seconds);
		if (settlement.outcome === "unknown") continue;
		const reference = settlement.outcome === "settled" ? settlement.reference : null;
		// The answer was not delivered as far as is known, so the payer may request it again.
		await ask("finishPayment", { payment_id, state: settlement.outcome, reference, delivered: false });
		log.info({ payment_id, rail: name, outcome: settlement.outcome }, "the outcome of a payment was found");
		found++;
	}
	return found;
}
