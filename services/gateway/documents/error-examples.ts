/** One body of each refusal, as this service words it. */
import { problemOf } from "#libs/contract/problem.ts";

const requestId = "0199b2c1-5f0e-7c3a-9d53-1f8f6c2f4a10";

/** Of a status whose problem says no more than others. */
export const errorExample = (status: number): object =>
	problemOf(errorExamples[status] ?? { detail: "" }, status, requestId);

const errorExamples: Record<number, { detail: string; code: string; errors?: object[] }> = {
	400: { detail: "the query is not valid percent-encoded UTF-8", code: "bad_request" },
	403: { detail: "the API key is not valid: nobody was given it", code: "key_invalid" },
	404: { detail: "no project PJM-ZZ9-999", code: "not_found" },
	409: { detail: "the payment identifier was used for another request", code: "conflict" },
	413: { detail: "the body is too large", code: "body_too_large" },
	415: { detail: "the body's media type is not supported", code: "unsupported_media_type" },
	422: {
		detail: "per_page: must be at most 500",
		code: "invalid_parameters",
		errors: [{ loc: ["query", "per_page"], msg: "must be at most 500" }],
	},
	500: { detail: "internal error", code: "internal_error" },
	503: { detail: "The service that answers listProjects is not available.", code: "unavailable" },
};

export const problemExamples = {
	PaymentProblem: {
		type: "https://paymentauth.org/problems/payment-required",
		title: "Payment Required",
		status: 402,
		detail: "GET /projects costs $0.01 without a key. Pay by x402, or get a free key at /register",
		code: "payment_required",
		price_usd: 0.01,
		x402Version: 2,
		accepts: [],
		rails: { x402: "repeat the request with PAYMENT-SIGNATURE" },
		request_id: requestId,
	},
	QuotaProblem: {
		type: "https://iana.org/assignments/http-problem-types#quota-exceeded",
		title: "Quota exceeded",
		status: 429,
		detail: "the monthly limit of 50 queries is used up: it resets at 2026-12-01T00:00:00Z",
		code: "quota_used_up",
		"violated-policies": ["month"],
		request_id: requestId,
	},
} as const;
