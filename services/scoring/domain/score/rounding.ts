/** 70.5 is 71, and so is what binary fractions make of it (70.49999999999999). */
export function roundHalfUp(value: number): number {
	return Math.floor(value + 0.5 + 1e-9);
}
