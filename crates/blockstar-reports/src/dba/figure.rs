//! Figure 2 of the paper: the matrix of seven regions, computed again from the twelve costs between
//! neighbours that it prints.

/// A cost in tenths and the next region, for every two regions; `u32::MAX` where there is none yet.
pub type Matrix = [[(u32, usize); 7]; 7];

/// The costs between neighbours, in tenths.
const LINKS: [(char, char, u32); 12] = [
    ('A', 'B', 138),
    ('A', 'D', 132),
    ('A', 'E', 200),
    ('B', 'C', 148),
    ('B', 'D', 216),
    ('B', 'E', 200),
    ('B', 'F', 118),
    ('B', 'G', 236),
    ('C', 'F', 98),
    ('C', 'G', 136),
    ('D', 'E', 146),
    ('F', 'G', 130),
];

/// What the paper prints for the other pairs.
const PRINTED: [(char, char, u32); 9] = [
    ('A', 'C', 276),
    ('A', 'F', 156),
    ('A', 'G', 374),
    ('C', 'D', 364),
    ('C', 'E', 348),
    ('D', 'F', 364),
    ('D', 'G', 452),
    ('E', 'F', 318),
    ('E', 'G', 436),
];

fn index(name: char) -> usize {
    (name as usize).saturating_sub('A' as usize).min(6)
}

/// The matrix, closed by the algorithm of Floyd and Warshall.
pub fn matrix() -> Matrix {
    let mut matrix = [[(u32::MAX, 0); 7]; 7];
    for (a, b, cost) in LINKS {
        let (a, b) = (index(a), index(b));
        (matrix[a][b], matrix[b][a]) = ((cost, b), (cost, a));
    }
    for over in 0..7 {
        for from in 0..7 {
            for to in (0..7).filter(|&to| to != from) {
                let (first, next) = matrix[from][over];
                let sum = first.saturating_add(matrix[over][to].0);
                if sum < matrix[from][to].0 {
                    matrix[from][to] = (sum, next);
                }
            }
        }
    }
    matrix
}

/// The next region on the way from one to another, and what it costs.
pub fn way(matrix: &Matrix, from: char, to: char) -> (char, f64) {
    let (cost, next) = matrix[index(from)][index(to)];
    ((b'A' + next as u8) as char, f64::from(cost) / 10.0)
}

/// The entries that are printed otherwise: which, as printed, and as computed. Those between
/// neighbours must be what they are, too.
pub fn misprints(matrix: &Matrix) -> Vec<(String, f64, f64)> {
    let all = LINKS.iter().chain(&PRINTED);
    let wrong = all.filter(|(a, b, printed)| matrix[index(*a)][index(*b)].0 != *printed);
    let tenths = |cost: u32| f64::from(cost) / 10.0;
    wrong
        .map(|&(a, b, printed)| {
            (format!("{a}-{b}"), tenths(printed), tenths(matrix[index(a)][index(b)].0))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_entries_are_misprints() {
        let matrix = matrix();
        let wrong = misprints(&matrix);
        let wanted = [("A-C", 27.6, 28.6), ("A-F", 15.6, 25.6), ("D-F", 36.4, 33.4)];
        assert_eq!(wrong, wanted.map(|(pair, printed, right)| (pair.to_string(), printed, right)));
        assert_eq!(way(&matrix, 'E', 'G'), ('B', 43.6));
        assert_eq!(way(&matrix, 'G', 'D'), ('B', 45.2));
    }
}
