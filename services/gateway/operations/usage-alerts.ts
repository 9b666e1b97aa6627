/** How near an account is to a limit of its own: the highest share that it has reached of each. Pure. */
import type { Reply } from "#libs/contract/index.ts";

type Alert = Reply<"getUsage">["alerts"][number];

/** Highest first. */
const shares = [1, 0.8, 0.5] as const;

export interface Limited {
	of: Alert["of"];
	used: number;
	/** Null: none. */
	limit: number | null;
	resets_at: string;
}

export const alertsOf = (limits: readonly Limited[]): Alert[] =>
	limits.flatMap(({ of, used, limit, resets_at }) => {
		const share = limit === null ? undefined : shares.find((each) => used >= each * limit);
		return share === undefined || limit === null ? [] : [{ of, share, used, limit, resets_at }];
	});
