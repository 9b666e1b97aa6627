/** Finds the outcome of payments whose charge was begun but whose outcome was not recorded. Each is leased to one replica at a time. */
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

/** Runs until disposed, which waits for the current payment. */
export const startReconciling = (options: ReconcileOptions): AsyncDisposable =>
	startWorker({
		name: "reconcile-payments",
		everyMs: 5_000,
		run: (stop) => reconcile(options, stop),
		onFailure: (err) => options.log.warn({ err }, "payments could not be reconciled"),
	});

/** One round. @returns the number of outcomes that were found. @throws AppError if billing does not answer */
export async function reconcile({ rails, requestBilling, log }: ReconcileOptions, stop?: AbortSignal): Promise<number> {
	const { payments } = await requestBilling("claimUnsettled", { limit: paymentsAtOnce, lease_seconds: leaseSeconds });
	let found = 0;
	for (const { payment_id, rail: name, stored, age_seconds } of payments) {
		if (stop?.aborted) break;
		// The rail has been disabled here. When the lease ends, a replica with the rail can check the payment.
		const rail = rails.find((one) => one.name === name);
		if (rail === undefined) continue;
		const settlement = await rail.reconcile(stored, age_seconds);
		if (settlement.outcome === "unknown") continue;
		const reference = settlement.outcome === "settled" ? settlement.reference : null;
		// As far as is known, the response was not delivered, so the payer may request it again.
		await requestBilling("finishPayment", { payment_id, state: settlement.outcome, reference, delivered: false });
		log.info({ payment_id, rail: name, outcome: settlement.outcome }, "the outcome of a payment was found");
		found++;
	}
	return found;
}
