"""Rates written down by the generators themselves, integrated by a small Rosenbrock method: an oracle with neither our laws nor our solvers.

Source: L. F. Shampine, M. W. Reichelt, The MATLAB ODE Suite, SIAM J. Sci. Comput. 18 (1997), ode23s."""
import numpy as np

D = 1 / (2 + np.sqrt(2))
E32 = 6 + np.sqrt(2)


def jacobian(rates, t, y, f, scale):
    columns = []
    for k in range(len(y)):
        delta = 1e-7 * max(abs(y[k]), scale[k])
        moved = y.copy()
        moved[k] += delta
        columns.append((rates(t, moved) - f) / delta)
    return np.array(columns).T


def solve(rates, start, times, scale, tolerance=1e-5, breaks=(), longest=None):
    """-> [times x states], or None where it takes too many steps. `breaks`: instants at which the rates jump."""
    y, t = np.array(start, dtype=float), times[0]
    scale = np.array(scale, dtype=float)
    stops = sorted({float(b) for b in breaks if times[0] < b < times[-1]} | set(float(x) for x in times[1:]))
    rows, wanted = [y.copy()], set(float(x) for x in times[1:])
    longest = longest or (times[-1] - times[0]) / 50
    h, steps = min(longest, (times[-1] - times[0]) * 1e-6), 0
    for stop in stops:
        while t < stop:
            steps += 1
            if steps > 200000:
                return None
            last = stop - t <= h * (1 + 1e-9)
            step = stop - t if last else h
            inner = step * 1e-9  # rates at a break are those of its own side
            f0 = rates(t + inner, y)
            jac = jacobian(rates, t + inner, y, f0, scale)
            w = np.eye(len(y)) - step * D * jac
            try:
                slope = (rates(t + 1e-4 * step, y) - f0) / (1e-4 * step)
                k1 = np.linalg.solve(w, f0 + step * D * slope)
                f1 = rates(t + 0.5 * step, y + 0.5 * step * k1)
                k2 = np.linalg.solve(w, f1 - k1) + k1
                new = y + step * k2
                f2 = rates(t + step - inner, new)
                k3 = np.linalg.solve(w, f2 - E32 * (k2 - f1) - 2 * (k1 - f0) + step * D * slope)
            except np.linalg.LinAlgError:
                return None
            error = np.max(np.abs(step / 6 * (k1 - 2 * k2 + k3)) / np.maximum(scale, np.maximum(np.abs(y), np.abs(new)))) / tolerance
            if not np.isfinite(error):
                return None
            if error <= 1 or step <= 1e-12 * (times[-1] - times[0]):
                t, y = (stop if last else t + step), new
            h = min(longest, step * min(5.0, max(0.2, 0.8 / max(error, 1e-8) ** (1 / 3)))) if not (last and error <= 1) else min(longest, max(h, step * min(5.0, 0.8 / max(error, 1e-8) ** (1 / 3))))
        if stop in wanted:
            rows.append(y.copy())
    return np.array(rows)
