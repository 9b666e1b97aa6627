import { Table } from "../elements/table.tsx";
import { count, counted, threeDecimals } from "../text/format.ts";
import { Chart } from "./chart.tsx";
import { linear } from "./scale.ts";

export interface Group {
	n: number;
	predicted: number;
	observed: number;
}

const edge = { left: 50, right: 12, top: 8, bottom: 40 };
const ticks = [0, 0.25, 0.5, 0.75, 1];

/** Plots predicted chances against observed shares. Each circle is a group; its area is proportional to the number of requests. */
export function Reliability({ title, groups, maxWidth = 360 }: { title: string; groups: Group[]; maxWidth?: number }) {
	const maxRequests = Math.max(1, ...groups.map(({ n }) => n));
	return (
		<Chart
			title={title}
			label={`${title}: the predicted chance against the observed share, for ${groups.length} groups of requests`}
			maxWidth={maxWidth}
			height={(width) => width}
			draw={(width, height) => {
				const x = linear([0, 1], [edge.left, width - edge.right]);
				const y = linear([0, 1], [height - edge.bottom, edge.top]);
				return (
					<>
						{ticks.map((tick) => (
							<g key={tick}>
								<line class="grid" x1={x(tick)} x2={x(tick)} y1={y(0)} y2={y(1)} />
								<line class="grid" x1={x(0)} x2={x(1)} y1={y(tick)} y2={y(tick)} />
								<text x={x(tick)} y={y(0) + 16} text-anchor="middle">
									{tick}
								</text>
								<text x={x(0) - 5} y={y(tick) + 4} text-anchor="end">
									{tick}
								</text>
							</g>
						))}
						<line class="diagonal" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
						{groups.map(({ n, predicted, observed }) => (
							<circle
								key={`${predicted} ${observed} ${n}`}
								class="bubble"
								cx={x(predicted)}
								cy={y(observed)}
								r={3 + 7 * Math.sqrt(n / maxRequests)}
							>
								<title>{`${counted(n, "request")}: predicted ${predicted}, observed ${observed}`}</title>
							</circle>
						))}
						<text x={(x(0) + x(1)) / 2} y={height - 6} text-anchor="middle">
							predicted chance
						</text>
						<text transform={`translate(12 ${(y(0) + y(1)) / 2}) rotate(-90)`} text-anchor="middle">
							observed share
						</text>
					</>
				);
			}}
			table={
				<Table
					rows={groups}
					attributes={({ n, predicted, observed }) => ({ "data-group": `${n} ${predicted} ${observed}` })}
					columns={[
						["Requests", ({ n }) => count(n), "number"],
						["Predicted", ({ predicted }) => threeDecimals(predicted), "number"],
						["Observed", ({ observed }) => threeDecimals(observed), "number"],
					]}
				/>
			}
		/>
	);
}
