/** How the score held on days that it had not seen, what it rests on, and how one is computed again. */
import "../../style/base.css";
import "./scores.css";
import { render } from "preact";
import { read } from "../../lib/api.ts";
import { Failed } from "../../lib/failed.tsx";
import { useRead } from "../../lib/use-read.ts";
import { Days } from "./days.tsx";
import { Fitted } from "./fitted.tsx";
import { Limits } from "./limits.tsx";
import { Operators } from "./operators.tsx";
import { Overall } from "./overall.tsx";
import { Recompute } from "./recompute.tsx";

function Scores() {
	const state = useRead("backtest", (signal) => read("getScoreBacktest", "/scores/backtest", {}, signal));
	const backtest = state.data;
	return (
		<>
			<Failed state={state} />
			{backtest && (
				<>
					<Overall backtest={backtest} />
					<Operators backtest={backtest} />
					<Limits backtest={backtest} />
					<Fitted backtest={backtest} />
					<Days backtest={backtest} />
				</>
			)}
			<Recompute />
			<p class="soft">
				As JSON: <code>curl '{location.origin}/scores/backtest'</code>
			</p>
		</>
	);
}

const root = document.getElementById("page");
if (root) render(<Scores />, root);
