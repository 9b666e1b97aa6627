/** A caller's limits in a response: the header fields of draft-ietf-httpapi-ratelimit-headers-11, and the 429. */
import { AppError } from "#libs/contract/errors.ts";
import type { Decision, Quota } from "./limiter.ts";

type Quotas = Pick<Decision, "minute" | "month">;

/** `RateLimit-Policy` and `RateLimit`; empty without a limit. */
export function rateHeaders(quotas: Quotas): Record<string, string> {
	const policies = policiesOf(quotas);
	if (policies.length === 0) return {};
	return {
		"ratelimit-policy": policies
			.map(([name, { limit, windowSeconds }]) => `"${name}";q=${limit};w=${windowSeconds}`)
			.join(", "),
		ratelimit: policies
			.map(([name, { remaining, resetSeconds }]) => `"${name}";r=${remaining};t=${resetSeconds}`)
			.join(", "),
	};
}

/** A 429 as a problem (RFC 9457) that names the violated policy. */
export class TooMany extends AppError {
	readonly policy: string;

	constructor(detail: string, policy: string, resetSeconds: number, headers: Record<string, string>) {
		super(429, detail, {
			code: policy === "month" ? "quota_used_up" : "rate_limited",
			retryAfterSeconds: resetSeconds,
			headers: { ...headers, "content-type": "application/problem+json" },
		});
		this.policy = policy;
	}

	override toJSON() {
		return {
			type: "https://iana.org/assignments/http-problem-types#quota-exceeded",
			title: "Quota exceeded",
			status: this.status,
			detail: this.message,
			code: this.code,
			"violated-policies": [this.policy],
		};
	}
}

/** The 429 for a denied request. `what`: the limited things, in the plural. */
export function tooMany(decision: Decision, what = "requests"): TooMany {
	const { violated, minute, month } = decision;
	const headers = rateHeaders(decision);
	if (violated === "month" && month !== undefined) {
		const detail = `the monthly limit of ${month.limit} queries is used up: it resets at ${month.resetsAt}`;
		return new TooMany(detail, "month", month.resetSeconds, headers);
	}
	const { limit, windowSeconds, resetSeconds } = minute ?? { limit: 0, windowSeconds: 60, resetSeconds: 1 };
	const detail = `too many ${what}: the limit is ${limit} in any ${windowSeconds} seconds; try again in ${resetSeconds} s`;
	return new TooMany(detail, windowName(windowSeconds), resetSeconds, headers);
}

function policiesOf({ minute, month }: Quotas): [name: string, quota: Quota][] {
	const policies: [string, Quota][] = [];
	if (minute !== undefined) policies.push([windowName(minute.windowSeconds), minute]);
	if (month !== undefined) policies.push(["month", month]);
	return policies;
}

const windowName = (windowSeconds: number): string =>
	windowSeconds === 60 ? "minute" : windowSeconds === 3_600 ? "hour" : "window";
