import type { Reply } from "#libs/contract/index.ts";
import { Chart, Legend } from "../../lib/charts/chart.tsx";
import { linear, startOfDay, yearsBetween } from "../../lib/charts/scale.ts";
import { Table } from "../../lib/elements/table.tsx";
import { type State, statusPeriods } from "./status-periods.ts";

type Project = Reply<"getProject">;

const edge = { left: 8, right: 8 };
const rowHeight = 22;
const yearWidth = 52;

/** The request's dates, statuses and states on one time axis. */
export function TimeAxis({ project, states }: { project: Project; states: State[] }) {
	const now = Date.now();
	const periods = statusPeriods(states);
	const dates = datesOf(project);
	const times = [
		...dates.map(({ day }) => startOfDay(day)),
		...states.map(({ valid_from }) => Date.parse(valid_from)),
		now,
	];
	const [from, to] = [Math.min(...times), Math.max(...times)];
	const statuses = [...new Set(periods.map(({ status }) => status))];
	return (
		<Chart
			title="Its dates and its states"
			label={`Timeline from ${dayText(from)} to ${dayText(to)}: ${dates.length} dates, ${periods.length} periods of status, ${states.length} states`}
			height={() => 64 + dates.length * rowHeight}
			legend={<Legend entries={statuses.map((status) => ({ kind: status.toLowerCase(), text: status }))} />}
			draw={(width, height) => {
				const x = linear([from, to], [edge.left, width - edge.right]);
				const bottom = height - 22;
				const band = bottom - 22;
				return (
					<>
						{yearsBetween(from, to, width / yearWidth).map((year) => (
							<g key={year}>
								<line class="grid" x1={x(Date.UTC(year))} x2={x(Date.UTC(year))} y1={0} y2={bottom} />
								<text x={x(Date.UTC(year))} y={height - 6} text-anchor="middle">
									{year}
								</text>
							</g>
						))}
						<line class="axis" x1={edge.left} x2={width - edge.right} y1={bottom} y2={bottom} />
						<line class="diagonal" x1={x(now)} x2={x(now)} y1={0} y2={bottom} />
						{dates.map(({ name, day }, row) => {
							const at = x(startOfDay(day));
							const isLeft = at < width / 2;
							return (
								<g key={name}>
									<line class="grid" x1={at} x2={at} y1={row * rowHeight + 12} y2={band} />
									<circle class="total" cx={at} cy={row * rowHeight + 12} r="4" />
									<text x={at + (isLeft ? 9 : -9)} y={row * rowHeight + 16} text-anchor={isLeft ? "start" : "end"}>
										{name} {day}
									</text>
								</g>
							);
						})}
						{periods.map((period) => {
							const left = x(Date.parse(period.from));
							const right = x(period.to === null ? now : Date.parse(period.to));
							return (
								<rect
									key={period.from}
									class={period.status.toLowerCase()}
									x={left}
									y={band}
									width={Math.max(2, right - left)}
									height="12"
								>
									<title>{`${period.status} from ${period.from.slice(0, 10)}`}</title>
								</rect>
							);
						})}
						{states.map((one) => (
							<line
								key={`${one.valid_from} ${one.snapshot_id} ${one.version}`}
								class="axis"
								x1={x(Date.parse(one.valid_from))}
								x2={x(Date.parse(one.valid_from))}
								y1={band - 4}
								y2={bottom}
							/>
						))}
					</>
				);
			}}
			table={
				<Table
					rows={[
						...dates.map(({ name, day }) => ({ name, from: day, to: "", status: undefined })),
						...periods.map(({ status, from, to }) => ({
							...{ name: status, from: from.slice(0, 10), to: to?.slice(0, 10) ?? "now", status },
						})),
					]}
					attributes={({ status }) => ({ "data-period": status })}
					columns={[
						["What", ({ name }) => name],
						["From", ({ from }) => from],
						["To", ({ to }) => to],
					]}
				/>
			}
		/>
	);
}

const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Whether the day is plausible: a mistyped year would compress the axis. */
const isPlausible = (day: string): boolean => day >= "1980" && day < "2060";

function datesOf(project: Project): { name: string; day: string }[] {
	const named: [string, string | null][] = [
		["Queued", project.queue_date],
		["Agreement", project.ia_date],
		["Backfeed", project.backfeed_date],
		["Energized", project.energized_date],
		["Withdrawn", project.withdrawn_date],
		["Operating", project.actual_cod],
		["Projected", project.cod],
	];
	return named
		.flatMap(([name, day]) => (day === null || !isPlausible(day) ? [] : [{ name, day }]))
		.toSorted((a, b) => (a.day < b.day ? -1 : 1));
}
