/** Finds the outcome of payments that were sent for settlement without a recorded outcome. Each is leased to one replica at a time. */
import type { Logger } from "#libs/service/logger.ts";
import { startWorker } from "#libs/service/worker.ts";
import type { RequestBilling } from "./billing.ts";
import type { Rail } from "./rails/rail.ts";

export interface ReconcileOptions {
	rails: readonly Rail[];
	requestBilling: RequestBilling;
	log: Pick<Logger, "info" | "warn">;
}

const paymentsAtOnce = 10;
/** Lease of a payment (s); billing doubles it each time. Two replicas that check the same payment find the same outcome. */
const leaseSeconds = 30;

/** Reconciles payments until the result is disposed. Disposal waits for the current payment. */
export const startReconciling = (options: ReconcileOptions): AsyncDisposable =>
	startWorker({
		name: "reconcile-payments",
		everyMs: 5_000,
		run: (stop) => reconcile(options, stop),
		onFailure: (err) => options.log.warn({ err }, "payments could not be reconciled"),
	});

/** Reconciles some payments. @returns the number of outcomes that were found. @throws AppError if billing does not respond */
export async function reconcile({ rails, requestBilling, log }: ReconcileOptions, stop?: AbortSignal): Promise<number> {
	const { payments } = await requestBilling("claimUnsettled", { limit: paymentsAtOnce, lease_seconds: leaseSeconds });
	let found = 0;
	for (const { payment_id, rail: name, stored, age_seconds } of payments) {
		if (stop?.aborted) break;
		// If the rail is disabled here, a replica that has enabled it can check the payment when the lease ends.
		const rail = rails.find((one) => one.name === name);
		if (rail === undefined) continue;
		const settlement = await rail.reconcile(stored, age_seconds);
		if (settlement.outcome === "unknown") continue;
		const reference = settlement.outcome === "settled" ? settlement.reference : null;
		// There is no evidence that the response was delivered, so the payer may request it again.
		await requestBilling("finishPayment", { payment_id, state: settlement.outcome, reference, delivered: false });
		log.info({ payment_id, rail: name, outcome: settlement.outcome }, "the outcome of a payment was found");
		found++;
	}
	return found;
}
