/** Whose a file is and what may be done with it: the one place that decides whether its bytes leave. */
import { datasets } from "../datasets/index.ts";
import { epmNew, epmPlanned } from "../plants/sources/electric-power-monthly.ts";
import { eia860 } from "../plants/sources/index.ts";
import { eia861Distributed, eia861NetMetering } from "../queues/distributed/sources/eia861.ts";
import { operators, programmes, sources } from "../queues/sources/index.ts";

export interface Terms {
	publisher: string;
	licence: string;
	/** Its bytes may be passed on as they are. */
	mayBePassedOn: boolean;
}

const publicDomain: Terms = {
	publisher: "U.S. Energy Information Administration",
	licence: "Public domain",
	mayBePassedOn: true,
};

const berkeleyLab: Terms = {
	publisher: "Lawrence Berkeley National Laboratory",
	licence: "CC BY 4.0: Lawrence Berkeley National Laboratory, Queued Up",
	mayBePassedOn: true,
};

const withheld = "Published for the public on the publisher's site; facts are republished here, the file itself is not";

/** By feed. */
const passedOn: Readonly<Record<string, Terms>> = {
	lbnl: berkeleyLab,
	...Object.fromEntries(
		[eia860, eia861NetMetering, eia861Distributed, epmPlanned, epmNew].map(({ feed }) => [feed, publicDomain]),
	),
};

/** What no line here allows is not passed on: an unknown feed least of all. */
export function termsOf(feed: string | null): Terms {
	const open = feed === null ? undefined : passedOn[feed];
	if (open !== undefined) return open;
	const source = [...sources, ...programmes].find((one) => one.feed === feed);
	const region = source?.region ?? datasets.find((one) => one.feed === feed)?.region;
	const operator = region === undefined || region === null ? undefined : operators[region];
	return {
		publisher: operator?.publisher ?? "Its publisher",
		licence: source?.publication?.licence ?? operator?.licence ?? withheld,
		mayBePassedOn: false,
	};
}

/** Of a file that was loaded under several names: the strictest. */
export function strictest(feeds: readonly (string | null)[]): Terms {
	const all = (feeds.length === 0 ? [null] : feeds).map(termsOf);
	return all.find((terms) => !terms.mayBePassedOn) ?? all[0] ?? termsOf(null);
}
