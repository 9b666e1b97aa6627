/** Quantiles of the beta distribution: what a share may be, after so many hits and misses. Pure. */

/** Stirling's series, from ten on exact to twelve digits; below, by the recurrence. */
function logGamma(x: number): number {
	let below = 0;
	let at = x;
	for (; at < 10; at++) below += Math.log(at);
	const series = 1 / (12 * at) - 1 / (360 * at ** 3) + 1 / (1260 * at ** 5) - 1 / (1680 * at ** 7);
	return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + series - below;
}

/** The chance that a beta distributed share is below `x`: the regularised incomplete beta function, by its continued fraction (Lentz). */
export function betaBelow(x: number, a: number, b: number): number {
	if (x <= 0) return 0;
	if (x >= 1) return 1;
	if (x > (a + 1) / (a + b + 2)) return 1 - betaBelow(1 - x, b, a);
	const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) / a;
	const tiny = 1e-300;
	let c = 1;
	let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1), tiny);
	let fraction = d;
	for (let m = 1; m <= 500; m++) {
		for (const step of [
			(m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
			(-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
		]) {
			d = 1 / nonZero(1 + step * d, tiny);
			c = nonZero(1 + step / c, tiny);
			fraction *= c * d;
		}
		if (Math.abs(c * d - 1) < 1e-12) break;
	}
	return front * fraction;
}

const nonZero = (value: number, tiny: number): number => (Math.abs(value) < tiny ? tiny : value);

/** The share below which a beta distributed one lies with chance `q`. */
export function betaQuantile(q: number, a: number, b: number): number {
	let [low, high] = [0, 1];
	for (let step = 0; step < 60; step++) {
		const middle = (low + high) / 2;
		if (betaBelow(middle, a, b) < q) low = middle;
		else high = middle;
	}
	return (low + high) / 2;
}
