import { readFileSync } from "node:fs";
import type { Handler, Reply } from "#libs/contract/index.ts";

/** As `npm run backtest -- --write` found it. */
const published = JSON.parse(
	readFileSync(new URL("../domain/score/versions/3.backtest.json", import.meta.url), "utf8"),
) as Reply<"getScoreBacktest">;

export function getScoreBacktest(): Handler<"getScoreBacktest"> {
	return async () => ({ json: JSON.stringify(published), dataVersion: 0 });
}
