import type { Bus } from "#libs/bus/connect.ts";
import { type PlainName, requestJson } from "#libs/bus/requests/request.ts";
import { AppError } from "#libs/contract/errors.ts";
import type { ParamsInput, Reply } from "#libs/contract/index.ts";

/** Requests an operation of billing. @throws AppError what billing threw, 503 if it does not answer in time */
export type AskBilling = <N extends PlainName>(name: N, params: ParamsInput<N>) => Promise<Reply<N>>;

export const askBilling =
	(bus: Bus, timeoutMs: number): AskBilling =>
	(name, params) =>
		requestJson(bus, name, params, { timeoutMs });

/** Repeats an idempotent request once after a 503, because a lost reply does not show whether it was executed. */
export const askTwice =
	(ask: AskBilling): AskBilling =>
	async (name, params) => {
		try {
			return await ask(name, params);
		} catch (error) {
			if (!(error instanceof AppError) || error.status !== 503) throw error;
			return await ask(name, params);
		}
	};
