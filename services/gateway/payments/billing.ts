import type { Bus } from "#libs/bus/connect.ts";
import { type PlainName, requestJson } from "#libs/bus/requests/request.ts";
import { AppError } from "#libs/contract/errors.ts";
import type { ParamsInput, Reply } from "#libs/contract/index.ts";

/** Requests an operation of billing. @throws billing's AppError, or 503 if billing does not respond in time */
export type RequestBilling = <N extends PlainName>(name: N, params: ParamsInput<N>) => Promise<Reply<N>>;

export const billingRequester =
	(bus: Bus, timeoutMs: number): RequestBilling =>
	(name, params) =>
		requestJson(bus, name, params, { timeoutMs });

/**
 * @returns a function that repeats a request once after a 503, because it is then unknown whether the request was executed. It must be used
 * only for idempotent requests
 */
export const requestTwice =
	(requestBilling: RequestBilling): RequestBilling =>
	async (name, params) => {
		try {
			return await requestBilling(name, params);
		} catch (error) {
			if (!(error instanceof AppError) || error.status !== 503) throw error;
			return await requestBilling(name, params);
		}
	};
