/** Fits the hazard model to past requests: logistic regression with a ridge, by Newton's method. Pure. */
import {
	addPassingTerms,
	longestHorizon,
	noTerms,
	period,
	setLastingTerms,
	terms,
} from "../../services/scoring/domain/score/chance.ts";
import { followedUntil, type Past } from "./past.ts";

export type Event = "commercial" | "energized";

/** Draws every coefficient but the intercept towards zero. */
const ridge = 6;
/** A list that is some days younger than a whole period still tells of it. */
const tolerance = 0.6;

/** Rows of terms, packed, with the outcome of each. */
interface Rows {
	begins: number[];
	places: number[];
	values: number[];
	hits: number[];
}

/** Coefficients by what was known on the day `until`. */
export function fitHazards(past: readonly Past[], event: Event, until: string): number[] {
	const known = past.filter((each) => followedUntil(each, until) >= period - tolerance && isAtRisk(each, event));
	return newton(rowsOf(known, event, until));
}

export const isAtRisk = ({ region, facts }: Past, event: Event): boolean =>
	event === "commercial" || (region === "ERCOT" && facts.stage !== "energized");

function rowsOf(past: readonly Past[], event: Event, until: string): Rows {
	const rows: Rows = { begins: [0], places: [], values: [], hits: [] };
	const used = noTerms();
	for (const each of past) {
		const { facts } = each;
		const months = followedUntil(each, until);
		const outcome = each[event];
		const isKnown = outcome !== null && outcome.shown <= months + 0.1;
		const last = Math.min(Math.floor((months + tolerance) / period), longestHorizon / period) - 1;
		const hit = isKnown ? Math.floor(outcome.months / period) : Number.POSITIVE_INFINITY;
		setLastingTerms(facts, used);
		const lasting = used.count;
		for (let at = 0; at <= Math.min(last, hit); at++) {
			used.count = lasting;
			addPassingTerms(facts, (at + 0.5) * period, used);
			for (let index = 0; index < used.count; index++) {
				rows.places.push(used.places[index] ?? 0);
				rows.values.push(used.values[index] ?? 0);
			}
			rows.begins.push(rows.places.length);
			rows.hits.push(at === hit ? 1 : 0);
		}
	}
	return rows;
}

function newton(rows: Rows): number[] {
	const total = rows.hits.length;
	const hits = rows.hits.reduce((sum, hit) => sum + hit, 0);
	let fitted = terms.map((_, place) => (place === 0 ? Math.log(hits / (total - hits)) : 0));
	let best = likelihoodOf(rows, fitted);
	for (let round = 0; round < 30; round++) {
		const step = stepOf(rows, fitted);
		let length = 1;
		let next = fitted;
		let likelihood = best;
		do {
			next = fitted.map((value, place) => value + length * (step[place] ?? 0));
			likelihood = likelihoodOf(rows, next);
			length /= 2;
		} while (likelihood < best && length > 1e-3);
		if (likelihood - best < 1e-6) break;
		[fitted, best] = [next, likelihood];
	}
	return fitted.map((value) => Math.round(value * 10_000) / 10_000);
}

const ridgeOf = (place: number): number => (place === 0 ? 1e-6 : ridge);

function linear({ begins, places, values }: Rows, row: number, fitted: readonly number[]): number {
	let sum = 0;
	for (let at = begins[row] ?? 0; at < (begins[row + 1] ?? 0); at++)
		sum += (values[at] ?? 0) * (fitted[places[at] ?? 0] ?? 0);
	return sum;
}

function likelihoodOf(rows: Rows, fitted: readonly number[]): number {
	let sum = 0;
	for (const [row, hit] of rows.hits.entries()) {
		const odds = linear(rows, row, fitted);
		sum += hit * odds - (odds > 30 ? odds : Math.log1p(Math.exp(odds)));
	}
	return sum - fitted.reduce((all, value, place) => all + (ridgeOf(place) * value ** 2) / 2, 0);
}

function stepOf(rows: Rows, fitted: readonly number[]): number[] {
	const size = fitted.length;
	const gradient = fitted.map((value, place) => -ridgeOf(place) * value);
	const curvature = fitted.map((_, place) => fitted.map((__, other) => (place === other ? ridgeOf(place) : 0)));
	for (const [row, hit] of rows.hits.entries()) {
		const chance = 1 / (1 + Math.exp(-linear(rows, row, fitted)));
		const pull = hit - chance;
		const bend = chance * (1 - chance);
		const [from, to] = [rows.begins[row] ?? 0, rows.begins[row + 1] ?? 0];
		for (let at = from; at < to; at++) {
			const [place, value] = [rows.places[at] ?? 0, rows.values[at] ?? 0];
			gradient[place] = (gradient[place] ?? 0) + pull * value;
			const line = curvature[place] ?? [];
			for (let other = from; other < to; other++) {
				const column = rows.places[other] ?? 0;
				line[column] = (line[column] ?? 0) + bend * value * (rows.values[other] ?? 0);
			}
		}
	}
	return solve(curvature, gradient, size);
}

/** Gaussian elimination; the matrix is positive definite, so that no row is exchanged. */
function solve(matrix: number[][], right: readonly number[], size: number): number[] {
	const rows = matrix.map((line, at) => [...line, right[at] ?? 0]);
	for (let pivot = 0; pivot < size; pivot++) {
		const upper = rows[pivot] ?? [];
		for (let row = pivot + 1; row < size; row++) {
			const lower = rows[row] ?? [];
			const factor = (lower[pivot] ?? 0) / (upper[pivot] ?? 1);
			if (factor !== 0)
				for (let column = pivot; column <= size; column++)
					lower[column] = (lower[column] ?? 0) - factor * (upper[column] ?? 0);
		}
	}
	const solved = new Array<number>(size).fill(0);
	for (let row = size - 1; row >= 0; row--) {
		const line = rows[row] ?? [];
		let sum = line[size] ?? 0;
		for (let column = row + 1; column < size; column++) sum -= (line[column] ?? 0) * (solved[column] ?? 0);
		solved[row] = sum / (line[row] ?? 1);
	}
	return solved;
}
