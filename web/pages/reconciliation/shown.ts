import type { Reply } from "#libs/contract/index.ts";

export type Body = Reply<"getReconciliation">["data"][number];

/** Of a comparison, within the page. */
export const placeOf = ({ source, region }: Pick<Body, "source" | "region">): string => `${source}-${region}`;

/** Of MW. A tenth of a percent matters here. */
export const unexplained = (share: number): string =>
	share > 0 && share < 0.0001 ? "below 0.01 %" : `${(100 * share).toFixed(2)} %`;
